// SwizzleLab: the three widgets on one tile. They share one model, so a change of B, M or S moves all of them together.

import { renderBankHeatmap } from "./bank_heatmap.js";
import { renderBitDiagram } from "./bit_diagram.js";
import { mount } from "./card.js";
import { renderColumnRead } from "./column_read.js";
import { swizzleControls } from "./controls.js";
import { h } from "./dom.js";
import { Access } from "./model/access.js";
import { readTile, save } from "./state.js";

const PARTS = [
  ["Banks", renderBankHeatmap],
  ["Bits of one element", renderBitDiagram],
  ["The access, wavefront by wavefront", renderColumnRead],
];

export function renderSwizzleLab({ model, el }) {
  return mount({
    model,
    el,
    label: "Swizzle lab",
    traits: ["bits", "base", "shift", "unit", "geometry"],
    build: (context) => buildLab(context),
  });
}

function buildLab(context) {
  const { model, card, problem } = context;
  const swizzle = swizzleControls(context);
  card.classList.add("swz-lab");
  card.append(swizzle.element, problem);
  const cleanups = PARTS.map(([title, render]) => {
    const el = h("div", { class: "swz-part" }, h("p", { class: "swz-part-title" }, title));
    card.append(el);
    return render({ model, el, controls: false });
  });

  // The bits shown are those of the first element that lane 0 touches.
  function follow() {
    context.attempt(() => {
      const access = new Access(readTile(model).with(null), model.get("access"));
      const first = access.starts.find((start) => start >= 0);
      if (first !== undefined && first !== model.get("offset")) save(model, { offset: first });
    });
  }

  model.on("change:access", follow);

  function close() {
    model.off("change:access", follow);
    cleanups.forEach((cleanup) => cleanup());
  }

  return { draw: swizzle.draw, close };
}

export default { render: renderSwizzleLab };
