// A card: the frame of every widget, with its error line, kept in step with the model.

import { h, write } from "./dom.js";
import { ModelError } from "./model/checks.js";

const NO_SHORTCUTS = "data-lm-suppress-shortcuts";

// Builds a card and keeps it in step with the model. `build(card)` fills it and returns {draw, close}.
// draw() runs after any of `traits` changed, at most once a frame. If it refuses the state, the last good picture stays
// and the error line says what is wrong.
export function mount({ model, el, label, traits, build }) {
  const keys = { onfocusin: keepPlainKeys, onkeydown: keepPlainKeys, onkeyup: keepPlainKeys };
  const card = h("section", { class: "swz", "aria-label": label, ...keys });
  // A part of another card shows what is wrong; the other card says it, once.
  const problem = h("p", { class: "swz-problem", role: el.closest(".swz") ? null : "alert", hidden: true });
  el.append(card);
  let due = false;
  let frame = 0;

  const context = {
    model,
    card,
    // To be put above the picture, in sight of the controls.
    problem,
    // Does what the reader or a trait asked for, or says on the error line why not.
    attempt(action) {
      try {
        action();
        problem.hidden = true;
        card.classList.remove("swz-stale");
      } catch (error) {
        write(problem, error.message);
        problem.hidden = false;
        card.classList.add("swz-stale");
        // A mistake of ours, not of the reader: the picture is marked all the same, but not in silence.
        if (!(error instanceof ModelError)) console.error(error);
      }
    },
    redraw() {
      if (!due && !frame) queueMicrotask(drawNow);
      due = true;
    },
  };

  // At once, so that the picture is ready when its frame comes; what changes until then is drawn in that frame.
  function drawNow() {
    if (!due) return;
    due = false;
    frame = requestAnimationFrame(() => {
      frame = 0;
      drawNow();
    });
    context.attempt(parts.draw);
  }

  const parts = build(context);
  if (!card.contains(problem)) card.append(problem);
  traits.forEach((name) => model.on(`change:${name}`, context.redraw));
  context.attempt(parts.draw);
  return () => {
    due = false;
    cancelAnimationFrame(frame);
    traits.forEach((name) => model.off(`change:${name}`, context.redraw));
    parts.close?.();
  };
}

// Else a notebook takes arrow keys and letters for its own shortcuts while a control has the focus. JupyterLab listens
// after the card, so there they are stopped; Notebook 7 listens before, but leaves alone a control with this attribute.
function keepPlainKeys(event) {
  const forTheNotebook =
    event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && ["Enter", "Shift"].includes(event.key));
  event.target.toggleAttribute(NO_SHORTCUTS, !forTheNotebook);
  if (!forTheNotebook && event.type === "keydown") event.stopPropagation();
}
