// What happened lately, in all saves and in the agent itself, as far as the reader wants to see it.

import { ask } from "./agent.js";
import { h } from "./dom.js";
import { clean } from "./format.js";
import { changes, lowered, phrase, time, word } from "./parts.js";
import { changed, state } from "./state.js";
import { t } from "./words.js";

const day = 86_400_000;
// How many steps are asked for, and how many lines are shown.
const most = { steps: 500, shown: 60 };
// From the least to the most serious.
const levels = ["info", "notice", "warning", "error"];

// What was read, for which state of the saves and links, and what is wanted of it.
let lately = { steps: null, lines: [], leftOut: false, of: null };
const wanted = { device: "", save: "", level: "info" };

export function log() {
  const of = JSON.stringify([Array.from(state.versions), state.status.household.map(({ id, connected }) => [id, connected])]);
  if (lately.of !== of) read(of);
  const all = items();
  return h("section", { tabindex: "-1", "aria-labelledby": "log" },
    h("h2", { id: "log" }, t("log")),
    h("div", { class: "row" },
      choice("device", t("filterDevice"), [["", t("everyDevice")], ...names()]),
      choice("save", t("filterSave"), [["", t("everySave")], ...state.status.profiles.map(({ id, name }) => [id, clean(name, 60)])]),
      choice("level", t("filterLevel"), levels.slice(0, 3).map((level) => [level, t("fromLevel")[level]]))),
    h("div", {}, lately.steps && all.length === 0 && h("p", { class: "faint" }, t("logEmpty"))),
    h("ol", { class: "timeline" }, all.slice(0, most.shown).map(({ key, element }) => h("li", { "data-key": key }, element))),
    h("div", {}, (all.length > most.shown || lately.leftOut) && h("p", { class: "faint" }, t("logMore"))));
}

function choice(name, label, options) {
  return h("label", {}, label,
    h("select", { name: "log-" + name, onchange: (event) => { wanted[name] = event.target.value; changed(); } },
      options.map(([value, words]) => h("option", { "data-key": value, value, selected: value === wanted[name] }, words))));
}

// Every name that a step, a line or the household has.
function names() {
  const all = new Set([state.status.device, ...state.status.household].map(({ name }) => name));
  for (const { step } of lately.steps ?? []) for (const name of step.devices) all.add(name);
  return Array.from(all).filter(Boolean).sort().map((name) => [name, clean(name, 60)]);
}

// What is wanted, the newest first.
function items() {
  const least = levels.indexOf(wanted.level);
  const save = state.status.profiles.find(({ id }) => id === wanted.save)?.name;
  const factOf = (line, name) => line.facts.find((fact) => fact.name === name)?.value;
  const steps = (lately.steps ?? [])
    .filter((entry) => levels.indexOf(levelOf(entry.step)) >= least)
    .filter(({ id, step }) => (!wanted.save || id === wanted.save) && (!wanted.device || step.devices.includes(wanted.device)))
    .map((entry) => ({ time: entry.step.time, key: "step " + entry.id + entry.step.number, element: stepItem(entry) }));
  const lines = lately.lines
    .filter((line) => levels.indexOf(line.level) >= least)
    .filter((line) => (!wanted.save || factOf(line, "profile") === save) && (!wanted.device || factOf(line, "device") === wanted.device))
    .map((line) => ({ time: line.time, key: "line " + line.key, element: lineItem(line) }));
  return [...steps, ...lines].sort((one, other) => other.time - one.time);
}

// A save that was not taken as it is, and what a person did, stand out.
function levelOf(step) {
  if (step.lowered) return "warning";
  return ["save", "merge"].includes(step.origin) ? "info" : "notice";
}

function stepItem({ id, profile, step }) {
  const origins = t("origins");
  return [
    h("a", { href: "#/save/" + encodeURIComponent(id) }, word(profile, 60)), " · ",
    Object.hasOwn(origins, step.origin) ? origins[step.origin] : clean(step.origin, 40), " · ", time(step.time),
    " · ", word(step.devices.join(", "), 100),
    step.lowered && h("p", { class: "soon" }, t("lowered", lowered(step.lowered))),
    step.changes.length > 0 && h("details", {},
      h("summary", {}, t("changes", step.changes.length + step.more)),
      changes(step.changes, step.more)),
  ];
}

function lineItem(line) {
  return [
    h("strong", { class: { warning: "soon", error: "bad" }[line.level] }, t("levels")[line.level] ?? clean(line.level)), " · ",
    phrase(line.text, { limit: 300 }), " · ", time(line.time),
    line.facts.length > 0 && h("p", { class: "faint" }, line.facts.map(({ name, value }, index) =>
      [index > 0 && " · ", phrase(name, { limit: 40, isPart: true }), ": ", phrase(value, { limit: 100 })])),
  ];
}

async function read(of) {
  lately.of = of;
  try {
    const { entries, lines, leftOut } = await ask("log", { since: Date.now() - 7 * day, limit: most.steps, lines: true });
    // A newer one is on its way.
    if (lately.of !== of) return;
    Object.assign(lately, { steps: entries, lines: keyed(lines ?? []), leftOut });
    changed();
  } catch {
    // The next change brings another try.
  }
}

// The lines, each with a key that stays its own: its time, and the how manyth of that time it is.
function keyed(lines) {
  const counts = new Map();
  return lines.toReversed().map((line) => {
    const count = (counts.get(line.time) ?? 0) + 1;
    counts.set(line.time, count);
    return { ...line, key: `${line.time} ${count}` };
  }).reverse();
}
