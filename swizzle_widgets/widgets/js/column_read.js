// ColumnRead: one access on several variants of a tile over time: a row a wavefront, all variants in step.

import { accessMenu } from "./access_menu.js";
import { mount } from "./card.js";
import { swizzleControls } from "./controls.js";
import { h, write } from "./dom.js";
import { BANKS } from "./generated.js";
import { Access } from "./model/access.js";
import { plural } from "./model/checks.js";
import { Tile } from "./model/tile.js";
import { KEYS_HINT, SLOTS_HINT, calm, columnPlayer, playControls, stepNow } from "./playback.js";
import { liveRegion } from "./reading.js";
import { TILE_TRAITS, checkedPlayback, illegal, once, readTile, toggleControls } from "./state.js";
import { lanesNamed, slotAt, slotBox, slotByKey, slotText, slotsWhere, timesScene } from "./views/panels.js";
import { sceneStage } from "./views/stage.js";
import { statusLine } from "./views/status.js";
import { trackOf } from "./views/time.js";
import { tryVariant, variantsOf } from "./views/variants.js";

const DROP = 300;
const PLAY_TRAITS = ["step", "playing", "speed", "loop"];

export function renderColumnRead({ model, el }) {
  const traits = [...TILE_TRAITS, "controls", "access", "copy", "request", "variants", ...PLAY_TRAITS];
  return mount({ model, el, label: "Column read", traits, build: buildColumnRead });
}

// The tracks, the sliders' last; more than two have letters, so that a text can name them.
function tracksOf(model, last) {
  const wrong = illegal(model);
  const access = new Access(new Tile(model.get("tile")), model.get("access"));
  const all = variantsOf(model.get("variants"));
  const tile = wrong ? null : readTile(model);
  // With B = 0 the last track would repeat the one without a swizzle.
  if (!wrong && (tile.swizzle.bits || !all.some(({ label }) => label === tile.swizzleName))) {
    all.push({ label: tile.swizzleName, tile });
  }
  const letter = (label, at, count) => (count > 2 ? `${String.fromCharCode(65 + at)}  ${label}` : label);
  const count = all.length + (wrong ? 1 : 0);
  const tracks = all.map(({ label, tile: other }, at) => trackOf(tryVariant(access, other), letter(label, at, count)));
  // What is no swizzle has no time; its place stays as high as it was.
  if (wrong)
    tracks.push({
      ...(last ?? trackOf("", "")),
      label: letter(wrong.name, tracks.length, count),
      report: null,
      reason: `${wrong.verdict}: ${wrong.error.message}`,
      rows: [],
      blank: true,
    });
  return { tracks, access, wrong };
}

function buildColumnRead(context) {
  const { model, card, problem } = context;
  const swizzle = swizzleControls(context);
  const menu = accessMenu(context);
  const shown = { tracks: [], panels: [], last: 0, step: 0, slot: null };
  const player = columnPlayer(model, () => shown.last);
  const transport = playControls(model, player);
  const status = statusLine(problem, () => `${KEYS_HINT}, ${SLOTS_HINT}.`);
  const stage = sceneStage(() => paint());
  const label = `Wavefronts. ${KEYS_HINT}, ${SLOTS_HINT}`;
  const picture = h(
    "div",
    { class: "swz-picture", tabindex: 0, role: "application", "aria-label": label },
    stage.element,
  );
  const live = liveRegion();
  card.append(
    swizzle.element,
    h("div", { class: "swz-controls" }, menu.element, transport.element, menu.requests),
    status.element,
    picture,
    live,
  );

  picture.addEventListener("keydown", (event) => {
    const slot = slotByKey(shown.panels, shown.step, shown.slot, event);
    if (!slot) return playKey(event, player);
    event.preventDefault();
    point(slot);
    write(live, slotText(slot));
  });
  stage.element.addEventListener("pointermove", (event) =>
    point(slotAt(shown.panels, stage.pointOf(event), shown.step)),
  );
  stage.element.addEventListener("pointerleave", () => point(null));

  // What the lanes under the pointer get, in all tracks.
  function point(found) {
    shown.slot = found;
    status.say(found ? slotText(found) : "");
    const lanes = found?.delivery?.lanes;
    const same = (delivery) => delivery.lanes.some((lane) => lanes.includes(lane));
    stage.mark(lanes ? shown.panels.flatMap((panel) => slotsWhere(panel, shown.step, same)) : []);
  }

  function paint(step = shown.step) {
    if (!shown.tracks.length || !stage.width()) return;
    const { scene, panels } = timesScene(shown.tracks, stage.width(), step);
    shown.panels = panels;
    stage.show(scene);
  }

  const load = once((...state) => {
    const before = shown.tracks.at(-1);
    Object.assign(shown, tracksOf(model, before), { same: false });
    shown.last = Math.max(0, ...shown.tracks.filter((track) => !track.blank).map((track) => track.wavefronts));
    return state;
  });
  // Not before the first picture: only then is the number of wavefronts known.
  const begin = once(player.start);

  function draw() {
    checkedPlayback(model);
    load(...[...TILE_TRAITS, "access", "variants"].map((name) => model.get(name)));
    const step = stepNow(model, shown.last);
    const { same } = shown;
    shown.same = true;
    const before = shown.step;
    shown.step = step;
    menu.draw(shown.access);
    transport.draw(step, shown.last);
    toggleControls(model, { access: [menu.element, menu.requests], playback: [transport.element] });
    point(null);
    const duration = same ? fallTime(model, before, step) : 0;
    paint(duration ? before : step);
    if (duration) stage.fall(falling(shown.panels, before), duration, () => paint());
    if (!model.get("playing")) write(live, shown.tracks.map((track) => told(track, step)).join(". "));
    begin();
    swizzle.draw();
    if (shown.wrong) throw shown.wrong.error;
  }

  function close() {
    player.close();
    stage.close();
  }

  return { draw, close };
}

export function playKey(event, player) {
  const keys = {
    " ": player.toggle,
    ArrowRight: player.forward,
    ArrowLeft: player.back,
    Home: player.toStart,
    End: player.toEnd,
  };
  if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  keys[event.key]();
}

// How long the words of a step fall, in ms: 0 where nothing moves.
export function fallTime(model, before, step) {
  if (step !== before + 1 || calm()) return 0;
  return model.get("playing") ? Math.min(DROP, 700 / model.get("speed")) : DROP;
}

// The words of wavefront `at`, from the axis of banks to their slots.
function falling(panels, at) {
  return panels.flatMap((panel) =>
    (panel.track.rows[at]?.deliveries ?? []).map(({ bank }) => {
      const to = slotBox(panel, at, bank);
      return { from: [to[0], panel.y + panel.tops[0] - panel.row], to, fill: `bank.${bank % BANKS}` };
    }),
  );
}

// A track in words.
export function told({ label, report, reason, rows, wavefronts, blank }, step) {
  if (blank) return `${label} ${reason}`;
  if (!report) return `${label}: cannot be done, ${reason}`;
  if (step >= wavefronts) return `${label}: done after ${report.text}`;
  if (step === 0) return `${label}: wavefront 0`;
  const lanes = [...new Set(rows[step - 1].deliveries.flatMap((delivery) => delivery.lanes))].sort((a, b) => a - b);
  return `${label}: ${plural(step, "wavefront")} so far, ${lanesNamed(lanes)} now`;
}

export default { render: renderColumnRead };
