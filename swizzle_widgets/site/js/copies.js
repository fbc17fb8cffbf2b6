// Buttons that copy the code they stand beside.

const SAID_MS = 1500;

export async function copy(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    // A page on a disk may not write to the clipboard: then the reader copies what is selected.
    button.textContent = "not allowed here";
  }
  setTimeout(() => (button.textContent = label), SAID_MS);
}

export function copyButtons() {
  for (const button of document.querySelectorAll("button.copy")) {
    button.addEventListener("click", () => copy(button, button.parentElement.querySelector("pre").textContent));
  }
}
