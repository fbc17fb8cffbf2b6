// BankHeatmap: a tile in memory, plain and swizzled: each word by its bank, the lanes on what they want.

import { accessMenu } from "./access_menu.js";
import { mount } from "./card.js";
import { radioGroup, swizzleControls } from "./controls.js";
import { h, write } from "./dom.js";
import { Access } from "./model/access.js";
import { oneOf } from "./model/checks.js";
import { liveRegion, sentence } from "./reading.js";
import { TILE_TRAITS, illegal, once, plainTile, readTile, save, toggleControls } from "./state.js";
import { blankCells, cellsOf, elementsPerCell } from "./views/cells.js";
import { cellAt, cellBox, cellText, tilesScene } from "./views/panels.js";
import { numbersHaveRoom } from "./views/tile.js";
import { sceneStage } from "./views/stage.js";
import { statusLine } from "./views/status.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const NUMBERS = [
  ["lanes", "lanes"],
  ["banks", "banks"],
  ["offsets", "offsets"],
];

export function renderBankHeatmap({ model, el }) {
  return mount({
    model,
    el,
    label: "Bank heatmap",
    traits: [...TILE_TRAITS, "access", "copy", "request", "numbers", "controls"],
    build: buildHeatmap,
  });
}

// The cells of all panels: plain, and swizzled if anything is. Where the sliders ask for what is no swizzle, the second
// panel is blank, as large as before.
const panelsOf = once((tile, spec, wrong) => {
  const tiles = tile.swizzle?.bits || wrong ? [tile.with(null), tile] : [tile.with(null)];
  const per = elementsPerCell(tiles);
  const cells = tiles.map((each) => cellsOf(new Access(each, spec), per));
  return wrong ? [cells[0], blankCells(cells[1], wrong)] : cells;
});

function buildHeatmap(context) {
  const { model, card, problem } = context;
  const swizzle = swizzleControls(context);
  const menu = accessMenu(context);
  const numbers = radioGroup("numbers", NUMBERS, (value) => save(model, { numbers: value }));
  const status = statusLine(
    problem,
    () => shown.cells.find(({ access }) => access.refusal)?.access.refusal || menu.hint(),
  );
  const stage = sceneStage(paint);
  const picture = h(
    "div",
    { class: "swz-picture", tabindex: 0, role: "application", "aria-label": "tile" },
    stage.element,
  );
  const live = liveRegion();
  const shown = { tile: null, cells: [], panels: [] };
  const controls = [swizzle.element, h("div", { class: "swz-controls" }, menu.element, numbers.element, menu.requests)];
  card.append(...controls, status.element, picture, live);

  picture.addEventListener("keydown", (event) => {
    const step = ARROWS[event.key];
    if (!step || !menu.moves()) return;
    event.preventDefault();
    menu.moveBy(...step);
  });
  stage.element.addEventListener("click", (event) => {
    const found = cellAt(shown.panels, stage.pointOf(event));
    if (found && menu.moves()) menu.moveTo(found.row, found.col);
  });
  stage.element.addEventListener("pointermove", (event) => point(cellAt(shown.panels, stage.pointOf(event))));
  stage.element.addEventListener("pointerleave", () => point(null));

  // The element under the pointer: the same one in all panels.
  function point(found) {
    status.say(found ? cellText(found) : "");
    stage.mark(found ? shown.panels.map((panel) => cellBox(panel, found.row, found.col)) : []);
  }

  function paint() {
    if (!shown.cells.length || !stage.width()) return;
    const { scene, panels } = tilesScene(shown.cells, stage.width(), model.get("numbers"));
    shown.panels = panels;
    // What does not fit is not offered.
    for (const input of numbers.element.querySelectorAll("input"))
      input.disabled = input.value !== "lanes" && !panels.every((panel) => numbersHaveRoom(panel, input.value));
    stage.show(scene);
  }

  function draw() {
    const wrong = illegal(model);
    const tile = wrong ? plainTile(model) : readTile(model);
    shown.cells = panelsOf(tile, model.get("access"), wrong?.name ?? "");
    shown.tile = tile;
    menu.draw(shown.cells[0].access);
    numbers.choose(
      oneOf(
        "numbers",
        model.get("numbers"),
        NUMBERS.map(([name]) => name),
      ),
    );
    toggleControls(model, { access: [menu.element, menu.requests], numbers: [numbers.element] });
    point(null);
    paint();
    const told = shown.cells.filter((cells) => !cells.blank).map((cells) => sentence(cells.access));
    write(live, told.join(". "));
    swizzle.draw();
    if (wrong) throw wrong.error;
  }

  return { draw, close: stage.close };
}

export default { render: renderBankHeatmap };
