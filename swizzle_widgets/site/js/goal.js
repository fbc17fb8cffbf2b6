// A goal: an exercise that builds something, set with menus and the controls of a lab, judged as it is set.

import { renderBankHeatmap } from "../../widgets/js/bank_heatmap.js";
import { mount } from "../../widgets/js/card.js";
import { freshId, h } from "../../widgets/js/dom.js";
import { replyView, unpack } from "../../widgets/js/question.js";
import { SWIZZLE_TRAITS, save } from "../../widgets/js/state.js";
import { renderSwizzleLab } from "../../widgets/js/swizzle_lab.js";

// What the menus change of the lab.
const MADE = ["tile", "access", "variants"];

export function renderGoal({ model, el }) {
  const label = `Goal ${model.get("number")}: ${model.get("asks")}`;
  mount({ model, el, label, traits: [...SWIZZLE_TRAITS, "choice"], build });
  const lab = h("div", {});
  el.append(lab);
  (swizzled(model) ? renderSwizzleLab : renderBankHeatmap)({ model, el: lab });
}

// Whether the sliders are the reader's, too.
const swizzled = (model) => model.get("controls").includes("swizzle");

// What a combination of the menus' choices makes of the lab that it began as.
export const chosen = (first, starts, choice) => ({ ...first, ...starts[choice], choice });

// What is set, as Python's Goal.states names it.
export function stateKey(model) {
  const swizzle = SWIZZLE_TRAITS.map((name) => model.get(name)).join();
  return swizzled(model) ? `${model.get("choice")};${swizzle}` : `${model.get("choice")}`;
}

function build({ model, card }) {
  const verdicts = unpack(model.get("verdicts"));
  const starts = unpack(model.get("starts"));
  const begun = stateKey(model);
  const made = MADE.filter((name) => model.get(name) !== undefined);
  const first = Object.fromEntries(made.map((name) => [name, model.get(name)]));
  const reply = replyView(() => keep(stateKey(model)), ["Reached", "Not yet"]);
  const choices = menus(model.get("menus"), (choice) => choose(choice));
  const asked = h("p", { class: "swz-goal" }, h("b", {}, `Goal ${model.get("number")}`), ` ${model.get("asks")}`);
  const says = model.get("says") ? h("p", { class: "swz-detail" }, model.get("says")) : null;
  card.classList.add("swz-question");
  card.append(...[asked, says, choices.element].filter(Boolean), ...reply.elements);
  let reached = false;
  if (model.get("answer")) restore(model.get("answer"));

  async function choose(choice, swizzle = {}) {
    save(model, { ...chosen(first, await starts, choice), ...swizzle });
  }

  // What was reached before, on a page that remembers.
  function restore(key) {
    const [choice, swizzle] = key.split(";");
    const [bits, base, shift] = (swizzle ?? "").split(",").map(Number);
    choose(Number(choice), swizzle ? { bits, base, shift, unit: swizzle.split(",")[3] } : {});
  }

  // The reader has committed: it counts as answered.
  const keep = (answer, right = false) => save(model, { answer, answered: true, right: right || model.get("right") });

  async function show() {
    const key = stateKey(model);
    const { texts, rows } = await verdicts;
    // Meanwhile there may be another one.
    if (key !== stateKey(model)) return;
    const [right, ...places] = rows[key] ?? [0];
    card.dataset.state = right ? "right" : "open";
    if (!places.length) reply.tell("Not yet. No tile has this swizzle.", false);
    else reply.show({ right: Boolean(right), texts: places.map((place) => texts[place]) }, false, right || reached);
    reached = Boolean(right);
    if (right && key !== begun) keep(key, true);
  }

  function draw() {
    choices.set(model.get("choice"));
    show();
  }

  return { draw };
}

// The menus; the number of a combination counts them with the last fastest. Returns {element, set}.
function menus(described, onchoose) {
  const selects = described.map(([, options]) =>
    h(
      "select",
      { id: freshId("goal"), onchange: () => onchoose(number()) },
      ...options.map((text) => h("option", {}, text)),
    ),
  );
  const fields = described.map(([name], at) =>
    h("div", { class: "swz-ask-field" }, h("label", { for: selects[at].id }, name), selects[at]),
  );
  const element = h("div", { class: "swz-ask", hidden: !fields.length }, ...fields);
  const number = () => selects.reduce((sum, select) => sum * select.options.length + select.selectedIndex, 0);

  function set(chosen) {
    let rest = chosen;
    for (const select of [...selects].reverse()) {
      select.selectedIndex = rest % select.options.length;
      rest = Math.floor(rest / select.options.length);
    }
  }

  return { element, set };
}
