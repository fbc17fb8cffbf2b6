// Walking through the requests of a whole copy: which one is shown, and what all of them cost.

import { h, write } from "./dom.js";
import { copyReport } from "./model/copy.js";
import { ModelError, plural, shown, whole } from "./model/checks.js";
import { TILE_TRAITS, illegal, once, plainTile, readTile, save } from "./state.js";

// The copy that the trait holds; null where it holds none, or the tile is now one of another size.
function copyOf(model) {
  const copy = model.get("copy");
  const request = model.get("request");
  if (copy === null && request !== null) throw new ModelError(`request = ${shown(request)}, but there is no copy`);
  if (copy === null) return null;
  if (!Array.isArray(copy.requests) || !copy.requests.length) throw new ModelError("copy must be a TiledCopy or None");
  const tile = model.get("tile");
  return ["rows", "cols", "dtype"].every((name) => copy[name] === tile[name]) ? copy : null;
}

// The access of request `place`, as `access` takes it.
export function requestSpec({ width, kind, requests }, place) {
  const { rows, cols, where } = requests[place];
  return { pattern: "at", rows, cols, width, kind, name: where };
}

// The report of a copy on a tile; null where no instruction can do it.
function reportOn(copy, tile) {
  try {
    return copyReport({ ...copy, tile });
  } catch (error) {
    if (error instanceof ModelError) return null;
    throw error;
  }
}

// All requests in words, without and with the swizzle, as CopyWidget.totals has it.
export function totalsOf(copy, reports) {
  const each = reports.map(({ tile, report }) => {
    if (!report) return `${tile.swizzleName}: no instruction can do it`;
    const conflicts = report.unit === "wavefront" ? `, ${plural(report.conflicts, "conflict")}` : "";
    return `${tile.swizzleName}: ${plural(report.cost, report.unit)}, ideal ${report.least}${conflicts}`;
  });
  return `all ${plural(copy.requests.length, "request")}: ${each.join("; ")}`;
}

export function reportsOf(copy, tile) {
  const tiles = tile.swizzle?.bits ? [tile.with(null), tile] : [tile];
  return tiles.map((each) => ({ tile: each, report: reportOn(copy, each) }));
}

// Buttons and words for the copy that the traits hold; nothing where they hold none. Returns {element, draw}.
export function requestControls({ model }) {
  const button = (label, text, onclick) => h("button", { type: "button", "aria-label": label, onclick }, text);
  const now = { copy: null, place: null, worst: 0 };
  const back = button("previous request", "◀", () => goTo((now.place ?? 1) - 1));
  const on = button("next request", "▶", () => goTo((now.place ?? -1) + 1));
  const worst = button("worst request", "worst", () => goTo(now.worst));
  const which = h("span", { class: "swz-which" });
  const totals = h("output", { class: "swz-totals" });
  const walk = h("span", { class: "swz-buttons", role: "group", "aria-label": "requests of the copy" });
  walk.append(back, on, worst, which);
  const element = h("div", { class: "swz-requests" });

  function goTo(place) {
    save(model, { request: place, access: requestSpec(now.copy, place) });
  }

  // A request that was set alone brings its access; another access is no request of the copy.
  function agree(copy) {
    const place = model.get("request");
    const before = now.place;
    Object.assign(now, { copy, place });
    if (place === null) return;
    whole("request", place, 0, copy.requests.length - 1);
    const { name, rows } = requestSpec(copy, place);
    const access = model.get("access");
    if (access.name === name && `${access.rows}` === `${rows}`) return;
    if (place !== before) return goTo(place);
    now.place = null;
    save(model, { request: null });
  }

  const counted = once((copy) => {
    const wrong = illegal(model);
    const reports = reportsOf(copy, wrong ? plainTile(model) : readTile(model));
    // The worst one of the tile under the swizzle, or of the plain one where no instruction can do it.
    const { worst } = reports.findLast(({ report }) => report)?.report ?? { worst: { where: "" } };
    const place = copy.requests.findIndex(({ where }) => where === worst.where);
    return { text: totalsOf(copy, reports), worst: Math.max(place, 0) };
  });

  function draw() {
    const copy = copyOf(model);
    if (!copy) return element.replaceChildren();
    agree(copy);
    const { place } = now;
    const count = copy.requests.length;
    // Counted anew when the tile or its swizzle changes.
    const found = counted(copy, ...TILE_TRAITS.map((name) => model.get(name)));
    now.worst = found.worst;
    back.disabled = place === 0;
    on.disabled = place === count - 1;
    worst.disabled = place === found.worst;
    const isWorst = place === found.worst ? ", the worst" : "";
    write(which, place === null ? `none of the ${count} requests` : `request ${place + 1} of ${count}${isWorst}`);
    write(totals, found.text);
    if (!element.childNodes.length) element.append(walk, totals);
  }

  return { element, draw };
}
