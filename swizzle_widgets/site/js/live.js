// Puts live widgets in the place of their pictures.

import { h } from "../../widgets/js/dom.js";
import { PageModel } from "../../widgets/js/page_model.js";
import { VIEWS } from "./views.js";

const states = new Map(Object.entries(JSON.parse(document.getElementById("widget-states").textContent)));
const models = new Map();

// Views of one widget share its model, so they move together.
export function pageModel(id) {
  if (!models.has(id)) models.set(id, new PageModel(states.get(id).state));
  return models.get(id);
}

export function viewOf(name) {
  if (!Object.hasOwn(VIEWS, name)) throw new Error(`there is no widget ${name}`);
  return VIEWS[name];
}

// A question begins with the answer that it was given before, and tells of each new one.
function remember(model, progress) {
  const number = model.get("number");
  if (number === undefined) return;
  const before = progress.remembered(number);
  if (before) model.set({ answer: before.answer, answered: true, right: before.right });
  const tell = () => model.get("answered") && progress.answered(number, model.get("answer"), model.get("right"));
  for (const trait of ["answer", "answered", "right"]) model.on(`change:${trait}`, tell);
}

// If a widget cannot be drawn, its picture stays, and a line says why.
export function bringToLife(figure, progress) {
  const stage = h("div", { class: "swz-stage" });
  const [...picture] = figure.childNodes;
  figure.append(stage);
  try {
    for (const id of figure.dataset.models.split(" ")) {
      const el = h("div", {});
      stage.append(el);
      remember(pageModel(id), progress);
      viewOf(states.get(id).view)({ model: pageModel(id), el });
    }
    figure.replaceChildren(stage);
  } catch (error) {
    const line = h("p", { class: "swz-failed", role: "alert" }, `This widget cannot be drawn: ${error.message}`);
    stage.replaceChildren(line);
    figure.replaceChildren(...picture, stage);
    reportError(error);
  }
}
