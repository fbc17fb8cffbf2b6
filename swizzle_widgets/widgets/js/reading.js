// What an access costs, in words.

import { h, write } from "./dom.js";

// Large numbers and one sentence. Returns {element, draw}.
export function verdictPanel(title) {
  const name = h("p", { class: "swz-title" }, title);
  const big = h("p", { class: "swz-count" });
  const detail = h("p", { class: "swz-detail" });
  const element = h("div", { class: "swz-verdict" }, name, big, detail);

  function draw(access, heading) {
    write(name, heading);
    const { wavefronts, ideal, conflicts } = access.report();
    const cut = access.refusal;
    element.dataset.state = cut ? "cut" : conflicts ? "conflict" : "clean";
    write(big, cut ? "no instruction" : `${wavefronts} wavefront${wavefronts === 1 ? "" : "s"}`);
    write(detail, cut || `ideal ${ideal}, ${conflicts} conflict${conflicts === 1 ? "" : "s"}`);
  }

  return { element, draw };
}

// The sentence a screen reader hears after each change.
export function liveRegion() {
  return h("p", { class: "swz-hidden", "aria-live": "polite" });
}

export function sentence(access) {
  return access.refusal || `${access.tile.swizzleName}: ${access.report().text}`;
}
