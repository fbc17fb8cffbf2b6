// The fields of a question's form: a text, or choices.

import { freshId, h } from "../dom.js";

// One field: {element, value(), set(key), empty(), focus()}.
export function fieldView(field) {
  return field.kind === "choice" ? choiceView(field) : textView(field);
}

function textView(field) {
  const id = freshId("answer");
  const [size, placeholder] = field.kind === "swizzle" ? [12, "B, M, S"] : [7, null];
  const input = h("input", { id, type: "text", autocomplete: "off", spellcheck: "false", size, placeholder });
  const element = h("div", { class: "swz-ask-field" }, h("label", { for: id }, field.name), input);
  const set = (key) => (input.value = key);
  return { element, value: () => input.value, set, empty: () => !input.value.trim(), focus: () => input.focus() };
}

function choiceView(field) {
  const name = freshId("choice");
  const type = field.several ? "checkbox" : "radio";
  const inputs = field.options.map(([value]) => h("input", { type, name, value }));
  const labels = field.options.map(([value, text], index) =>
    h("label", {}, inputs[index], h("b", {}, value), text && text !== value ? h("span", {}, text) : null),
  );
  const plain = field.options.every(([value, text]) => !text || text === value);
  const label = field.several ? `${field.name}, any number of them` : field.name;
  const role = field.several ? "group" : "radiogroup";
  const look = `swz-ask-options${plain ? " swz-ask-short" : ""}`;
  const caption = h("span", { hidden: label === "answer" }, label);
  const element = h("div", { class: look, role, "aria-label": label }, caption, ...labels);
  const value = () => inputs.filter((input) => input.checked).map((input) => input.value);
  const set = (key) => inputs.forEach((input) => (input.checked = key.split(",").includes(input.value)));
  return { element, value, set, empty: () => !field.several && !value().length, focus: () => inputs[0].focus() };
}
