// Small helpers for elements: plain DOM, no framework.

const SVG = "http://www.w3.org/2000/svg";

// Creates an element; text always becomes a text node, never markup.
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

// Sets text or attributes only where they differ: whatever is set is laid out, painted and read out anew.
export function write(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

export function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
}

// Every widget loads this module anew, so a counter alone would give two widgets on a page the same ids:
// their labels and their groups of radio buttons would get mixed up.
const MODULE_ID = Math.random().toString(36).slice(2);
let made = 0;
export const freshId = (prefix) => `swz-${prefix}-${MODULE_ID}-${++made}`;
