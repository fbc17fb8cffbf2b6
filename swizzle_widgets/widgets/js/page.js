// Brings the widgets of a static page to life: no kernel, no server, the state is in the page.

import { renderBankHeatmap } from "./bank_heatmap.js";
import { renderBitDiagram } from "./bit_diagram.js";
import { renderColumnRead } from "./column_read.js";
import { h } from "./dom.js";
import { PageModel } from "./page_model.js";
import { renderSwizzleLab } from "./swizzle_lab.js";
import { renderSwizzleRanking } from "./swizzle_ranking.js";

// A new widget needs its import above and its line here.
const VIEWS = {
  BankHeatmap: renderBankHeatmap,
  BitDiagram: renderBitDiagram,
  ColumnRead: renderColumnRead,
  SwizzleLab: renderSwizzleLab,
  SwizzleRanking: renderSwizzleRanking,
};

const pageStates = new Map(Object.entries(JSON.parse(document.getElementById("widget-states").textContent)));
const pageModels = new Map();

// Views of one widget share its model, so they move together.
function pageModel(id) {
  if (!pageModels.has(id)) pageModels.set(id, new PageModel(pageStates.get(id).state));
  return pageModels.get(id);
}

function viewOf({ view }) {
  if (!Object.hasOwn(VIEWS, view)) throw new Error(`there is no widget ${view}`);
  return VIEWS[view];
}

// Puts the widgets in the place of the picture. If one cannot be drawn, the picture stays, and a line says why.
function bringToLife(figure) {
  const stage = h("div", { class: "swz-stage" });
  const [...picture] = figure.childNodes;
  figure.append(stage);
  try {
    for (const id of figure.dataset.models.split(" ")) {
      const el = h("div", {});
      stage.append(el);
      viewOf(pageStates.get(id))({ model: pageModel(id), el });
    }
    figure.replaceChildren(stage);
  } catch (error) {
    stage.replaceChildren(h("p", { class: "swz-failed", role: "alert" }, `This widget cannot be drawn: ${error.message}`));
    figure.replaceChildren(...picture, stage);
    reportError(error);
  }
}

document.querySelectorAll("figure.swz-live").forEach(bringToLife);
