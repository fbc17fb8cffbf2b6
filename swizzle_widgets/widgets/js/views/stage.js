// A canvas that shows a scene in the page's own colors, sharp at any zoom, and marks places in it.

import { BANK_COLORS, BANK_DARK_TINTS, BANK_INKS, BANK_TINTS, MEASURES as m, PAGE_COLORS } from "../generated.js";
import { h } from "../dom.js";

// From below to above, as on Python's page.
const LAYERS = ["rects", "hatch", "lines", "badge", "text"];
const HATCH_STEP = 6;

// Returns {element, show(scene), mark(boxes, shared), close()}; boxes are [x, y, width, height].
// `onwidth` is called when the element's width has changed, before the first time as well.
export function sceneStage(onwidth) {
  const canvas = h("canvas", { "aria-hidden": "true" });
  const marks = h("div", { class: "swz-marks", "aria-hidden": "true" });
  const element = h("div", { class: "swz-scene" }, canvas, marks);
  let scene = null;
  let width = 0;
  let cancel = () => {};

  function paint() {
    if (!scene) return;
    const scale = Math.max(1, devicePixelRatio || 1);
    const size = [scene.width, scene.height].map((side) => Math.max(1, Math.round(side * scale)));
    if (canvas.width !== size[0]) canvas.width = size[0];
    if (canvas.height !== size[1]) canvas.height = size[1];
    canvas.style.cssText = `width: ${scene.width}px; height: ${scene.height}px`;
    const brush = canvas.getContext("2d");
    brush.setTransform(scale, 0, 0, scale, 0, 0);
    brush.clearRect(0, 0, scene.width, scene.height);
    paintScene(brush, scene, colorsOf(element), getComputedStyle(element).fontFamily);
  }

  function show(next) {
    scene = next;
    paint();
  }

  // `shared` are framed lightly: what has something in common with what is marked.
  function mark(boxes, shared = []) {
    const framed =
      (name, out) =>
      ([x, y, w, t]) => {
        const size = `width: ${w + 2 * out - 1}px; height: ${t + 2 * out - 1}px`;
        return h("i", { class: name, style: `left: ${x - out}px; top: ${y - out}px; ${size}` });
      };
    marks.replaceChildren(...shared.map(framed("swz-shared", 0)), ...boxes.map(framed("swz-mark", 2)));
  }

  const resized = new ResizeObserver(() => {
    const now = Math.floor(element.clientWidth);
    if (!now || now === width) return;
    width = now;
    onwidth(width);
  });
  resized.observe(element);
  // Zoom changes the number of device pixels even where the width stays; a theme changes the colors.
  addEventListener("resize", paint);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", paint);
  const themed = new MutationObserver(() => requestAnimationFrame(paint));
  themed.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name"] });

  function close() {
    cancel();
    resized.disconnect();
    themed.disconnect();
    removeEventListener("resize", paint);
    dark.removeEventListener("change", paint);
  }

  // Boxes {from, to, fill} fall to their places; then `done` is called. A next call ends the one before.
  function fall(boxes, duration, done) {
    cancel();
    if (!duration || !boxes.length) return done();
    const color = colorsOf(element);
    const flyers = boxes.map(({ from, to: [x, y, w, t], fill }) => {
      const flyer = h("i", {
        class: "swz-flyer",
        style: `width: ${w - 1}px; height: ${t - 1}px; background: ${color(fill)}`,
      });
      const [start, end] = [from, [x, y]].map(([left, top]) => ({ transform: `translate(${left}px, ${top}px)` }));
      flyer.animate([start, end], { duration, easing: "cubic-bezier(0.4, 0, 0.3, 1)", fill: "forwards" });
      return flyer;
    });
    element.append(...flyers);
    const timer = setTimeout(land, duration);
    cancel = land;
    function land() {
      clearTimeout(timer);
      cancel = () => {};
      for (const flyer of flyers) flyer.remove();
      done();
    }
  }

  // The point of a pointer event in the scene.
  function pointOf(event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // What is shown, for tests.
  element.swzScene = () => scene;
  return { element, show, mark, fall, close, pointOf, width: () => width || Math.floor(element.clientWidth) };
}

// The colors of the page that the element stands on, by name.
function colorsOf(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const named = Object.fromEntries(Object.entries(PAGE_COLORS).map(([name, color]) => [name, read(name) || color]));
  const tints = read("dark") === "1" ? BANK_DARK_TINTS : BANK_TINTS;
  const banks = { bank: BANK_COLORS, ink: BANK_INKS, tint: tints };
  return (fill) => {
    const [name, bank] = fill.split(".");
    return bank === undefined ? (named[fill] ?? fill) : banks[name][bank];
  };
}

export function paintScene(brush, scene, color, family) {
  for (const layer of LAYERS) {
    for (const item of scene.items) if (item.kind === layer) PAINTERS[layer](brush, item, color, family);
  }
}

const PAINTERS = {
  rects(brush, { fill, rects }, color) {
    brush.fillStyle = color(fill);
    for (const [x, y, w, t] of rects) brush.fillRect(x, y, w, t);
  },

  hatch(brush, { rects }, color) {
    brush.fillStyle = color("idle");
    for (const [x, y, w, t] of rects) brush.fillRect(x, y, w, t);
    brush.strokeStyle = color("hatch");
    brush.lineWidth = 1;
    brush.setLineDash([]);
    brush.beginPath();
    for (const rect of rects) diagonals(brush, rect);
    brush.stroke();
  },

  lines(brush, { lines, fill, width, dash }, color) {
    Object.assign(brush, {
      strokeStyle: color(fill),
      lineWidth: width,
      lineJoin: "miter",
      lineCap: dash ? "butt" : "square",
    });
    brush.setLineDash(dash ? [3, 3] : []);
    brush.beginPath();
    for (const [[x, y], ...rest] of lines) {
      brush.moveTo(x, y);
      for (const point of rest) brush.lineTo(...point);
    }
    brush.stroke();
  },

  badge(brush, { x, y, text }, color, family) {
    brush.fillStyle = color("ink");
    brush.beginPath();
    brush.arc(x, y, m.BADGE, 0, 2 * Math.PI);
    brush.fill();
    const style = { size: m.TEXT, fill: "paper", at: "middle", bold: true, narrow: true };
    PAINTERS.text(brush, { x, y, text, ...style }, color, family);
  },

  text(brush, { x, y, text, size, fill, at, bold, narrow }, color, family) {
    brush.font = `${bold ? "600 " : ""}${size}px ${family}`;
    brush.fillStyle = color(fill);
    brush.textAlign = { left: "left", middle: "center", right: "right" }[at];
    brush.textBaseline = "middle";
    // Numbers in cells are set narrow, so that they fit as the scene has counted.
    if (narrow) brush.fillText(text, x, y + 0.5, m.DIGIT * size * text.length + 1);
    else brush.fillText(text, x, y + 0.5);
  },
};

// The lines of a hatch within a rectangle; they run on from one rectangle to the next.
function diagonals(brush, [x, y, w, t]) {
  for (let total = Math.ceil((x + y) / HATCH_STEP) * HATCH_STEP; total < x + y + w + t; total += HATCH_STEP) {
    const [left, right] = [Math.max(x, total - y - t), Math.min(x + w, total - y)];
    if (right <= left) continue;
    brush.moveTo(left, total - left);
    brush.lineTo(right, total - right);
  }
}
