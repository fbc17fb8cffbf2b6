// Question: a form, and the verdicts that Python's judge has reached on every answer of it.

import { mount } from "./card.js";
import { h, write } from "./dom.js";
import { readField } from "./question/answers.js";
import { fieldView } from "./question/fields.js";
import { playedView } from "./question/played.js";
import { liveRegion } from "./reading.js";
import { save } from "./state.js";

// What `packed` of Python wrote; verdicts are {texts, rows, served}.
export async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

export function renderQuestion({ model, el }) {
  const label = `Question ${model.get("number")}: ${model.get("asks")}`;
  return mount({ model, el, label, traits: ["answer"], build });
}

// What the reader is told: the verdict, the machine at work, and on request the hint and the reason.
export function replyView(onreason, [rightWord, wrongWord] = ["Right", "Not yet"]) {
  const said = h("p", { class: "swz-said" });
  const played = h("div", { hidden: true });
  const hint = h("p", { class: "swz-hint", hidden: true });
  const why = h("p", { class: "swz-why", hidden: true });
  const button = (text, onclick) => h("button", { type: "button", hidden: true, onclick }, text);
  const askHint = button("Hint", () => reveal(hint, askHint));
  const askWhy = button("Reason", () => reveal(why, askWhy));
  const live = liveRegion();

  function say(text) {
    live.textContent = "";
    write(live, text);
  }

  function reveal(part, asked) {
    part.hidden = false;
    asked.hidden = true;
    say(part.textContent);
    if (part === why) onreason();
  }

  // The same answer again is said again, for those who listen, and keeps open what was asked for.
  function show({ right, texts: [cost, hintText, whyText], served, count }, another, aloud = true) {
    if (another) [hint, why].forEach((part) => (part.hidden = true));
    if (another) play(served, count, right);
    write(said, `${right ? rightWord : wrongWord}. ${cost}`);
    write(hint, `Hint: ${hintText}`);
    write(why, `Why: ${whyText}`);
    if (right) why.hidden = false;
    askHint.hidden = right || !hint.hidden;
    askWhy.hidden = right || !why.hidden;
    if (aloud) say(right ? `${said.textContent} ${why.textContent}` : said.textContent);
  }

  // Beyond the machine's last wavefront there is nothing to see, and the picture would tell the answer.
  function play(served, count, right) {
    played.hidden = !served || (!right && count > served.length);
    if (played.hidden) return;
    const { picture, text } = playedView(served, count);
    played.replaceChildren(picture, h("p", { class: "swz-detail" }, text));
  }

  function tell(text, aloud = true) {
    write(said, text);
    if (aloud) say(text);
  }

  return { elements: [said, played, hint, why, h("div", { class: "swz-more" }, askHint, askWhy), live], show, tell };
}

function build({ model, card }) {
  const fields = model.get("fields");
  const views = fields.map(fieldView);
  const verdicts = unpack(model.get("verdicts"));
  const reply = replyView(() => save(model, { answered: true }));
  const form = h(
    "form",
    { class: "swz-ask", onsubmit: submit },
    h("b", { class: "swz-ask-number" }, model.get("number")),
    ...views.map((view) => view.element),
    h("button", { type: "submit" }, "Answer"),
  );
  card.classList.add("swz-question");
  card.append(form, ...reply.elements);
  let shown = null;

  const keys = () => views.map((view, index) => readField(fields[index], view.value()));

  async function submit(event) {
    event.preventDefault();
    const wrong = keys().indexOf(null);
    if (wrong >= 0) return refuse(fields[wrong], views[wrong]);
    const answer = keys().join(";");
    const { rows } = await verdicts;
    if (answer === model.get("answer")) show(answer);
    else save(model, { answer, answered: true, right: Boolean(rows[answer][0]) });
  }

  function refuse({ name, looks }, view) {
    card.dataset.state = "none";
    reply.tell(`${view.empty() ? "Nothing answered yet" : "This is no answer yet"}. ${name}: ${looks} is asked for.`);
    view.focus();
  }

  async function show(answer) {
    const { texts, rows, served } = await verdicts;
    // Meanwhile there may be another one.
    if (answer !== model.get("answer")) return;
    const [right, ...places] = rows[answer];
    card.dataset.state = right ? "right" : "wrong";
    const said = { right: Boolean(right), texts: places.map((place) => texts[place]) };
    reply.show({ ...said, served, count: parseInt(answer, 10) }, answer !== shown);
    if (answer !== shown) fill(answer);
    shown = answer;
  }

  // In another view of the model, and on a page that remembers, the form does not hold the answer yet.
  function fill(answer) {
    const present = keys();
    answer.split(";").forEach((key, index) => present[index] === key || views[index].set(key));
  }

  function draw() {
    if (model.get("answer")) show(model.get("answer"));
  }

  return { draw };
}

export default { render: renderQuestion };
