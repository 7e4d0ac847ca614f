// What was unlocked in a save: the members of lists that only grow (rule "union"), and what is true for good (rule "flag").

import { ask, Failure } from "./agent.js";

// How much of a save is looked at: to say the rule of a place, the agent reads the whole save.
const most = { values: 20_000, depth: 12, rules: 300, bytes: 8_000_000, rulesAtOnce: 20 };

// The rules of one save that are known, by the family of the place.
const rules = { key: null, known: new Map() };

// All that is unlocked in a save: the newest first, then that of which nobody knows when. steps: its history, the oldest first.
// isDone: nothing new comes by asking again; isWhole: every place was looked at. isWanted(): somebody waits for the answer.
export async function trophies(id, steps, isWanted) {
  const { document } = await ask("show", { profile: id });
  const places = placesOf(JSON.parse(document));
  const changes = changesOf(steps);
  const number = (place) => changes.get(place.pointer)?.at(-1).step.number ?? -1;
  const limit = Math.min(most.rules, Math.max(1, Math.floor(most.bytes / document.length)));
  beginRules(id, steps);
  let asked = 0;
  let [isDone, isWhole] = [true, places.isWhole];
  const found = [];
  // Those that changed lately are asked about first.
  for (const place of places.all.sort((one, other) => number(other) - number(one))) {
    if (!isWanted()) return null;
    if (!rules.known.has(place.family)) {
      if (rules.known.size >= limit) {
        isWhole = false;
        continue;
      }
      if (asked === most.rulesAtOnce) {
        isDone = false;
        continue;
      }
      asked += 1;
      rules.known.set(place.family, await ruleOf(id, place));
    }
    const known = rules.known.get(place.family);
    if (known?.rule === place.rule) found.push(...unlocked(place, textOf(place, known.keys), changes));
  }
  const [dated, others] = [found.filter((one) => one.step), found.filter((one) => !one.step)];
  return { all: [...dated.sort((one, other) => other.step.number - one.step.number), ...others], isDone, isWhole };
}

function beginRules(id, steps) {
  const key = JSON.stringify([id, steps.findLast((step) => step.origin === "rules")?.number]);
  if (rules.key === key) return;
  rules.key = key;
  rules.known.clear();
}

// The rule of a place, and for each list on the way the member that tells its elements apart; null where there is none.
async function ruleOf(id, { pointer, path }) {
  try {
    const { rule, place } = await ask("explain", { profile: id, pointer });
    const steps = place.split("/").slice(1).map(unescaped);
    const keys = path.map(({ element }, index) => {
      const key = element && /^\[(.*)\]$/.exec(steps[index])?.[1];
      return key && Object.keys(element).find((name) => JSON.stringify(element[name]) === key);
    });
    return { rule, keys };
  } catch (error) {
    // Refused: no trophies here. No answer: asked again.
    if (error instanceof Failure && error.status && !error.isStranger) return null;
    throw error;
  }
}

// MARK: Places

const escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");
const unescaped = (step) => step.replaceAll("~1", "/").replaceAll("~0", "~");

// The lists of a save and what is true in it, each with the rule that would make trophies of it, and its family: all elements
// of a list have one rule.
function placesOf(document) {
  const all = [];
  let [count, isWhole] = [0, true];
  const look = (value, path, pointer, family) => {
    count += 1;
    if (count > most.values || path.length > most.depth) {
      isWhole = false;
      return;
    }
    const enter = (one, step, kind) => look(one, [...path, step], `${pointer}/${escaped(step.name)}`, `${family}/${kind}`);
    if (value === true) all.push({ rule: "flag", path, pointer, family });
    if (value === null || typeof value !== "object") return;
    if (!Array.isArray(value)) {
      for (const [name, one] of Object.entries(value)) enter(one, { name }, escaped(name));
      return;
    }
    if (value.length > 0) all.push({ rule: "union", path, pointer, family, members: value });
    for (const [index, element] of value.entries()) {
      if (element !== null && typeof element === "object") enter(element, { name: String(index), element }, "*");
    }
  };
  look(document, [], "", "");
  return { all, isWhole };
}

// The place as the history spells it: an element of a list by what tells it apart.
function textOf({ path }, keys) {
  return path.map(({ name, element }, index) =>
    "/" + escaped(keys[index] ? `[${JSON.stringify(element[keys[index]])}]` : name)).join("");
}

// MARK: What, when, by whom

// The changes of each place, the oldest first.
function changesOf(steps) {
  const all = new Map();
  for (const step of steps) {
    for (const change of step.changes) {
      if (!all.has(change.place)) all.set(change.place, []);
      all.get(change.place).push({ step, change });
    }
  }
  return all;
}

function unlocked(place, text, changes) {
  const key = (part) => text + " " + part;
  if (place.rule === "flag") {
    return [{ label: labelOf(place.path), place: text, key: key("true"), step: gains(text, changes, isTrue).get("true") }];
  }
  const when = gains(text, changes, membersOf);
  return place.members.map((member) => {
    const part = JSON.stringify(member);
    return { label: nameOf(member) ?? part, place: text, key: key(part), step: when.get(part) };
  });
}

// What a flag is called: as the element that it is in, else as its member.
function labelOf(path) {
  const element = path.findLast((step) => step.element)?.element;
  return nameOf(element) ?? JSON.stringify(path.at(-1)?.name ?? "");
}

function nameOf(member) {
  const name = member?.name ?? member?.title ?? member?.id;
  return typeof name === "string" || typeof name === "number" ? JSON.stringify(name) : null;
}

const isTrue = (value) => (value === true ? ["true"] : []);
const membersOf = (value) => (Array.isArray(value) ? value.map((one) => JSON.stringify(one)) : []);

// The step that brought each part of a place that is still there. What a save held when it came here was unlocked at some
// time before, and is in no step.
function gains(text, changes, parts) {
  const found = new Map();
  for (const { step, change } of changesAround(text, changes)) {
    const [old, now] = [change.old, change.new].map((json) => new Set(parts(inside(json, text.slice(change.place.length)))));
    for (const part of old) if (!now.has(part)) found.delete(part);
    if (step.origin === "adopt" || step.origin === "rules") continue;
    for (const part of now) if (!old.has(part)) found.set(part, step);
  }
  return found;
}

// The changes of a place, and of those that it is in.
function changesAround(text, changes) {
  const all = [];
  for (let end = text.length; end >= 0; end = end > 0 ? text.lastIndexOf("/", end - 1) : -1) {
    all.push(...(changes.get(text.slice(0, end)) ?? []));
  }
  return all.sort((one, other) => one.step.number - other.step.number);
}

// What a JSON text holds at a place in it.
function inside(json, text) {
  let value = json === undefined ? undefined : JSON.parse(json);
  for (const step of text.split("/").slice(1)) {
    const name = unescaped(step);
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
