// What the reader has answered, kept in this browser alone; what waits for an answer opens with it.

const KEY = "swizzle-widgets-answers";

// {question number: {answer, right}}; a browser that keeps nothing for this page gives an empty one.
function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

function write(answers) {
  try {
    localStorage.setItem(KEY, JSON.stringify(answers));
  } catch {
    // Nothing is kept; the page works without.
  }
}

const behind = (number) => document.querySelectorAll(`details.behind[data-behind="${CSS.escape(number)}"]`);

function show(answers) {
  for (const element of document.querySelectorAll(".progress")) {
    const numbers = element.dataset.questions.split(" ").filter(Boolean);
    const done = numbers.filter((number) => Object.hasOwn(answers, number)).length;
    element.textContent = done ? `${done} of ${numbers.length} questions answered` : `${numbers.length} questions`;
    element.classList.toggle("done", done === numbers.length && done > 0);
  }
  const whole = document.getElementById("whole-progress");
  if (whole) whole.hidden = !Object.keys(answers).length;
}

// Returns {answered, remembered}: told of each question as it is answered, it opens what waited.
export function startProgress() {
  const answers = read();

  function answered(number, answer, right) {
    answers[number] = { answer, right };
    write(answers);
    for (const details of behind(number)) details.open = true;
    show(answers);
  }

  for (const details of document.querySelectorAll("details.behind")) {
    if (Object.hasOwn(answers, details.dataset.behind)) details.open = true;
  }
  for (const button of document.querySelectorAll("button.forget")) {
    button.addEventListener("click", () => {
      for (const number of Object.keys(answers)) delete answers[number];
      write(answers);
      show(answers);
    });
  }
  show(answers);
  return { answered, remembered: (number) => answers[number] };
}
