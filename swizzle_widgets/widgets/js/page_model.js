// A model that lives in the page, where there is no kernel: traits, and who listens to them.

export class PageModel {
  #listeners = new Map();

  constructor(state) {
    this.state = state;
  }

  get(name) {
    return this.state[name];
  }

  // As Jupyter's models do: an equal value is no change, and listeners are told once all traits are set.
  set(name, value) {
    const change = typeof name === "string" ? { [name]: value } : name;
    const differs = (key) => JSON.stringify(this.state[key]) !== JSON.stringify(change[key]);
    const changed = Object.keys(change).filter(differs);
    Object.assign(this.state, change);
    for (const key of changed) [...this.#hearing(`change:${key}`)].forEach((listener) => listener());
  }

  save_changes() {}

  on(event, listener) {
    this.#listeners.set(event, this.#hearing(event).add(listener));
  }

  off(event, listener) {
    this.#hearing(event).delete(listener);
  }

  #hearing(event) {
    return this.#listeners.get(event) ?? new Set();
  }
}
