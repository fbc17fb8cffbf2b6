// One line under the controls: what is pointed at, or what is wrong. It keeps its height whatever it says.

import { h, write } from "../dom.js";

// `problem` is the card's error line: it stands in the place of the note while it is shown.
export function statusLine(problem, hint) {
  const note = h("p", { class: "swz-note" });
  const element = h("div", { class: "swz-status" }, note, problem);
  const say = (text) => write(note, text || hint());
  return { element, say };
}
