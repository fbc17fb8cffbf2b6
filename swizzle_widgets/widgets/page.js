// Brings the widgets of a static page to life: no kernel, no server, the state is in the page.

import { renderBankHeatmap } from "./bank_heatmap.js";
import { renderBitDiagram } from "./bit_diagram.js";
import { renderColumnRead } from "./column_read.js";
import { renderSwizzleLab } from "./swizzle_lab.js";

const VIEWS = {
  BankHeatmap: renderBankHeatmap,
  BitDiagram: renderBitDiagram,
  ColumnRead: renderColumnRead,
  SwizzleLab: renderSwizzleLab,
};

// What a widget needs of a model: traits, and who listens to them.
export class PageModel {
  #listeners = new Map();

  constructor(state) {
    this.state = state;
  }

  get(name) {
    return this.state[name];
  }

  set(name, value) {
    const change = typeof name === "string" ? { [name]: value } : name;
    const changed = Object.keys(change).filter((key) => this.state[key] !== change[key]);
    Object.assign(this.state, change);
    for (const key of changed) this.#listeners.get(`change:${key}`)?.forEach((listener) => listener());
  }

  save_changes() {}

  on(event, listener) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
    this.#listeners.get(event).add(listener);
  }

  off(event, listener) {
    this.#listeners.get(event)?.delete(listener);
  }
}

const states = JSON.parse(document.getElementById("widget-states").textContent);
for (const el of document.querySelectorAll(".swz-live")) {
  const { view, state } = states[el.dataset.model];
  el.replaceChildren();
  VIEWS[view]({ model: new PageModel(state), el });
}
