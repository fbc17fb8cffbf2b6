// Question: a form, and the verdicts that Python's judge has reached on every answer of it.

import { mount } from "./card.js";
import { freshId, h, write } from "./dom.js";
import { BANKS, BANK_COLORS } from "./generated.js";
import { plural } from "./model/checks.js";
import { liveRegion } from "./reading.js";
import { save } from "./state.js";

const NUMBER = /^[ \t\r\n\u00a0]*([+-]?)(?:(0x[0-9a-f]+)|(0b[01]+)|(\d+)(?:\.0*)?)[ \t\r\n\u00a0]*$/i;

// The readings below are those of Python's course/forms.py: a text is one key on both sides, or none.
export function readInteger(text) {
  const match = NUMBER.exec(text);
  if (!match) return null;
  const size = Number(match[2] ?? match[3] ?? match[4]);
  return match[1] === "-" ? 0 - size : size;
}

function readNumber(field, text) {
  const number = readInteger(text);
  if (number === null || number < field.low || number > field.high || (field.powers && number & (number - 1))) return null;
  return String(number);
}

function readSwizzle(field, text) {
  const parts = text.replace(/^\W*S(?:w|wizzle)?\b[ ]*(?=[<(])/, "").match(/[+-]?\w+/g) ?? [];
  const numbers = parts.map(readInteger);
  if (numbers.length !== 3 || numbers.includes(null)) return null;
  const within = numbers.every((number, index) => Math.abs(number) <= field.high[index]);
  return within && numbers[0] >= 0 && numbers[1] >= 0 ? numbers.join() : null;
}

// The key of what a field holds, or null if that is no answer: a text, or for a choice the chosen names.
export function readField(field, value) {
  if (field.kind === "number") return readNumber(field, value);
  if (field.kind === "swizzle") return readSwizzle(field, value);
  const names = field.options.map(([name]) => name).filter((name) => value.includes(name));
  return field.several ? names.join() : names.length === 1 ? names[0] : null;
}

// The verdicts as `pack` wrote them: {texts, rows, served}.
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// One field: {element, value(), focus()}.
function fieldView(field) {
  return field.kind === "choice" ? choiceView(field) : textView(field);
}

function textView(field) {
  const id = freshId("answer");
  const input = h("input", { id, type: "text", autocomplete: "off", spellcheck: "false", size: field.kind === "swizzle" ? 12 : 7, placeholder: field.kind === "swizzle" ? "B, M, S" : null });
  const element = h("div", { class: "swz-ask-field" }, h("label", { for: id }, field.name), input);
  return { element, value: () => input.value, set: (key) => (input.value = key), empty: () => !input.value.trim(), focus: () => input.focus() };
}

function choiceView(field) {
  const name = freshId("choice");
  const type = field.several ? "checkbox" : "radio";
  const inputs = field.options.map(([value]) => h("input", { type, name, value }));
  const labels = field.options.map(([value, text], index) =>
    h("label", {}, inputs[index], h("b", {}, value), text && text !== value ? h("span", {}, text) : null));
  const plain = field.options.every(([value, text]) => !text || text === value);
  const label = field.several ? `${field.name}, any number of them` : field.name;
  const element = h("div", { class: `swz-ask-options${plain ? " swz-ask-short" : ""}`, role: field.several ? "group" : "radiogroup", "aria-label": label }, h("span", { hidden: label === "answer" }, label), ...labels);
  const value = () => inputs.filter((input) => input.checked).map((input) => input.value);
  const set = (key) => inputs.forEach((input) => (input.checked = key.split(",").includes(input.value)));
  return { element, value, set, empty: () => !field.several && !value().length, focus: () => inputs[0].focus() };
}

// "0 to 3, 8" for sorted numbers.
export function ranges(numbers) {
  const runs = [];
  for (const number of numbers) {
    if (runs.length && runs.at(-1)[1] === number - 1) runs.at(-1)[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join(", ");
}

// The machine, as far as `count` wavefronts go: a row each, the banks that deliver in their colors; then who waits.
function playedView(served, count) {
  const banks = Array.from({ length: BANKS }, (_, bank) => bank);
  const row = (label, index, cells) =>
    h("div", { class: "swz-played-row", style: `--at: ${index}` }, h("span", {}, label), ...cells);
  const dense = Math.min(count, served.length) > 12;
  const rows = served.slice(0, count).map((turn, index) =>
    row(dense && index % 4 < 3 ? "" : index + 1, index, banks.map((bank) => h("i", bank in turn ? { style: `background: ${BANK_COLORS[bank]}` } : {}))));
  const left = served.slice(count);
  const waiting = [...new Set(left.flatMap((turn) => Object.values(turn).flat()))].sort((a, b) => a - b);
  const closed = banks.map((bank) => h("i", { class: left.some((turn) => bank in turn) ? "swz-waits" : null }));
  if (left.length) rows.push(row("wait", rows.length, closed));
  const end = left.length ? `lanes ${ranges(waiting)} still wait, at the marked banks` : "every lane has its words";
  const text = `After ${plural(Math.min(count, served.length), "wavefront")} ${end}.`;
  const slow = `--pace: ${Math.min(0.35, 2.5 / (rows.length || 1))}s; --height: ${dense ? 6 : 12}px`;
  const picture = h("div", { class: "swz-played", style: slow, "aria-hidden": "true" },
    row("bank", 0, banks.map((bank) => h("small", {}, bank % 8 ? null : bank))), ...rows);
  return { picture, text };
}

export function renderQuestion({ model, el }) {
  return mount({ model, el, label: `Question ${model.get("number")}: ${model.get("asks")}`, traits: ["fields", "answer"], build });
}

function build(context) {
  const { model, card } = context;
  const fields = model.get("fields");
  const views = fields.map(fieldView);
  const said = h("p", { class: "swz-said" });
  const hint = h("p", { class: "swz-hint", hidden: true });
  const why = h("p", { class: "swz-why", hidden: true });
  const button = (text, onclick) => h("button", { type: "button", hidden: true, onclick }, text);
  const played = h("div", { hidden: true });
  const askHint = button("Hint", () => reveal(hint));
  const askWhy = button("Reason", () => reveal(why));
  const live = liveRegion();
  const form = h("form", { class: "swz-ask", onsubmit: submit },
    h("b", { class: "swz-ask-number" }, model.get("number")), ...views.map((view) => view.element),
    h("button", { type: "submit" }, "Answer"));
  card.classList.add("swz-question");
  card.append(form, said, played, hint, why, h("div", { class: "swz-more" }, askHint, askWhy), live);
  const verdicts = unpack(model.get("verdicts"));
  let shown = null;

  async function submit(event) {
    event.preventDefault();
    const keys = views.map((view, index) => readField(fields[index], view.value()));
    const wrong = keys.indexOf(null);
    if (wrong >= 0) {
      const { name, looks } = fields[wrong];
      tell("none", `${views[wrong].empty() ? "Nothing answered yet" : "This is no answer yet"}. ${name}: ${looks} is asked for.`);
      views[wrong].focus();
      return;
    }
    const answer = keys.join(";");
    const { rows } = await verdicts;
    // The same answer again is said again, for those who listen.
    if (answer === model.get("answer")) show(answer);
    else save(model, { answer, answered: true, right: Boolean(rows[answer][0]) });
  }

  function tell(state, text) {
    card.dataset.state = state;
    write(said, text);
    say(text);
  }

  function say(text) {
    live.textContent = "";
    write(live, text);
  }

  function reveal(part) {
    part.hidden = false;
    (part === hint ? askHint : askWhy).hidden = true;
    say(part.textContent);
    if (part === why) save(model, { answered: true });
  }

  async function show(answer) {
    const { texts, rows, served } = await verdicts;
    if (answer !== model.get("answer")) return;
    const [right, ...places] = rows[answer];
    const [cost, hintText, whyText] = places.map((place) => texts[place]);
    if (shown !== answer) {
      fill(answer);
      play(served, Number(answer.split(";")[0]), right);
    }
    write(hint, `Hint: ${hintText}`);
    write(why, `Why: ${whyText}`);
    why.hidden = !right && why.hidden;
    askHint.hidden = Boolean(right) || !hint.hidden;
    askWhy.hidden = Boolean(right) || !why.hidden;
    tell(right ? "right" : "wrong", `${right ? "Right" : "Not yet"}. ${cost}`);
    if (right) say(`${said.textContent} ${why.textContent}`);
  }

  // Beyond the machine's last wavefront there is nothing to see, and the picture would tell the answer.
  function play(served, count, right) {
    played.hidden = !served || (!right && count > served.length);
    if (played.hidden) return;
    const { picture, text } = playedView(served, count);
    played.replaceChildren(picture, h("p", { class: "swz-detail" }, text));
  }

  // Another answer: what was revealed of the last one is closed, and another view of the model, or a page that
  // remembers, shows it in the form.
  function fill(answer) {
    shown = answer;
    [hint, why].forEach((part) => (part.hidden = true));
    answer.split(";").forEach((key, index) => readField(fields[index], views[index].value()) === key || views[index].set(key));
  }

  function draw() {
    if (model.get("answer")) show(model.get("answer"));
  }

  return { draw };
}

export default { render: renderQuestion };
