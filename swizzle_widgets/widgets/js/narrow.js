// What SwizzleLab has on a narrow page alone.

import { h, write } from "./dom.js";
import { MEASURES as m } from "./generated.js";
import { calm } from "./playback.js";

// Where the page is narrow: the pictures in an area of their own, with a sign while there is more below.
export function scrollArea(...parts) {
  const sign = h("div", { class: "swz-below", "aria-hidden": "true" }, "more below ↓");
  const area = h("div", { class: "swz-scroll", onscroll: look }, ...parts);
  const element = h("div", { class: "swz-frame" }, area, sign);
  const resized = new ResizeObserver(look);
  for (const part of [area, ...parts]) resized.observe(part);
  function look() {
    sign.hidden = area.scrollTop + area.clientHeight > area.scrollHeight - m.TILE_NAME;
  }
  const to = (y) => area.scrollTo({ top: y - 3 * m.TILE_NAME, behavior: calm() ? "auto" : "smooth" });
  return { element, to, close: () => resized.disconnect() };
}

// Where the page is narrow: what both columns cost, above the pictures; a click goes there.
export function resultLine(onclick) {
  const buttons = [0, 1].map((column) => h("button", { type: "button", onclick: () => onclick(column) }));
  const element = h("div", { class: "swz-results" }, ...buttons);

  function draw(tracks) {
    tracks.forEach(({ label, report }, at) => {
      const name = label.replace(/ (in .*|\(.*\))$/, "");
      const cost = report ? `${report.excess ? "▲" : "✓"} ${report.cost}` : "✕";
      write(buttons[at], `${name}: ${cost}`);
    });
  }

  return { element, draw };
}
