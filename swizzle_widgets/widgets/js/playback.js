// Time: moves `step` on while `playing` is set, and the buttons that do so. `step` null stands for the end.

import { freshId, h, write } from "./dom.js";
import { SPEED_RANGE } from "./generated.js";
import { save } from "./state.js";

// Half of a frame: a tick that comes a little early counts.
const SLACK = 8;
export const KEYS_HINT = "Space plays and pauses, → steps, ← steps back, Home and End go to the ends";
export const SLOTS_HINT = "Shift and arrows walk through what was served";
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The wavefronts done, of `last` at most.
export function stepNow(model, last) {
  const step = model.get("step");
  return Number.isInteger(step) ? Math.max(0, Math.min(step, last)) : last;
}

// `last()` says how many wavefronts there are. Returns the actions, start() and close().
export function columnPlayer(model, last) {
  let frame = 0;
  let since = 0;
  const now = () => stepNow(model, last());
  const goTo = (step) => save(model, { step: Math.max(0, Math.min(step, last())), playing: false });

  function tick(time) {
    frame = requestAnimationFrame(tick);
    if (time - since + SLACK >= 1000 / model.get("speed")) turn();
  }

  function turn() {
    const [step, end, loop] = [now(), last(), model.get("loop")];
    if (step < end) save(model, { step: step + 1, playing: loop || step + 1 < end });
    else save(model, { step: 0, playing: loop && end > 0 });
  }

  // Every change of step restarts the clock: two views of one widget do not play at twice the speed.
  function restart() {
    since = performance.now();
  }

  function follow() {
    cancelAnimationFrame(frame);
    frame = 0;
    if (model.get("playing") !== true) return;
    restart();
    if (now() === last()) save(model, { step: 0 });
    frame = requestAnimationFrame(tick);
  }

  function start() {
    model.on("change:step", restart);
    model.on("change:playing", follow);
    if (calm()) save(model, { playing: false });
    follow();
  }

  function close() {
    cancelAnimationFrame(frame);
    model.off("change:step", restart);
    model.off("change:playing", follow);
  }

  return {
    start,
    close,
    toggle: () => save(model, { playing: !model.get("playing") && last() > 0 }),
    forward: () => goTo(now() + 1),
    back: () => goTo(now() - 1),
    toStart: () => goTo(0),
    toEnd: () => goTo(last()),
  };
}

// Buttons, and unless `brief` the speed and the loop. Returns {element, draw(step, last)}.
export function playControls(model, player, brief = false) {
  const button = (text, onclick) => h("button", { type: "button", onclick }, text);
  const play = button("Play", player.toggle);
  const back = button("Back", player.back);
  const forward = button("Step", player.forward);
  const reset = button("Reset", player.toStart);
  play.classList.add("swz-play");
  const pace = paceControls(model);
  const buttons = h("span", { class: "swz-buttons" }, play, back, forward, ...(brief ? [] : [reset]));
  const group = { class: "swz-controls", role: "group", "aria-label": "animation" };
  const element = h("div", group, buttons, ...(brief ? [] : pace.elements));

  function draw(step, last) {
    write(play, model.get("playing") ? "Pause" : "Play");
    play.disabled = last === 0;
    back.disabled = reset.disabled = step === 0;
    forward.disabled = step === last;
    pace.draw();
  }

  return { element, draw };
}

function paceControls(model) {
  const id = freshId("speed");
  const [low, high] = SPEED_RANGE;
  const onspeed = () => save(model, { speed: Number(speed.value) });
  const speed = h("input", { type: "range", id, min: low, max: high, step: 0.5, oninput: onspeed });
  const rate = h("output", { for: id });
  const loop = h("input", { type: "checkbox", onchange: () => save(model, { loop: loop.checked }) });
  const elements = [
    h("div", { class: "swz-slider" }, h("label", { for: id }, "wavefronts a second"), speed, rate),
    h("label", { class: "swz-loop" }, loop, "Loop"),
  ];

  function draw() {
    const value = model.get("speed");
    speed.min = Math.min(low, value);
    speed.max = Math.max(high, value);
    speed.value = value;
    write(rate, value);
    loop.checked = model.get("loop");
  }

  return { elements, draw };
}
