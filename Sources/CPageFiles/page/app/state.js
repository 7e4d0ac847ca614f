// What the page knows, and who is to be told when it changes. Only this file changes it.

import { ask, follow } from "./agent.js";

export const state = {
  // "begin", "live", "lost" or "stranger".
  link: "begin",
  // The agent's sentence where it refuses to be followed; null where it does not answer.
  why: null,
  // Whether the link has been lost for so long that it may not come back: a restarted agent has another address.
  isLostForLong: false,
  // The StatusReport; null before the first one.
  status: null,
  // The SummaryReport of each save, by its id.
  summaries: new Map(),
  // The ConflictReports of all saves.
  conflicts: [],
  // How often the content of each save has changed since the page was opened, by its id.
  versions: new Map(),
};

const listeners = new Set();

// Calls the function whenever the state has changed, at most once a frame.
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let isDue = false;

export function changed() {
  if (isDue) return;
  isDue = true;
  // A tab in the background paints no frame, and needs none.
  requestAnimationFrame(() => {
    isDue = false;
    for (const listener of Array.from(listeners)) listener();
  });
}

export function start() {
  follow(take, tell);
}

const patience = 10_000;
let lostTimer = null;

function tell(link, why = null) {
  if (link === "lost") {
    lostTimer ??= setTimeout(() => { state.isLostForLong = true; changed(); }, patience);
  } else {
    clearTimeout(lostTimer);
    lostTimer = null;
    state.isLostForLong = false;
  }
  if (state.link === link && state.why === why) return;
  Object.assign(state, { link, why });
  changed();
}

function take(report, isNew) {
  state.status = report.status;
  const present = new Set(report.status.profiles.map((profile) => profile.id));
  for (const id of state.summaries.keys()) if (!present.has(id)) state.summaries.delete(id);
  const moved = isNew ? present : new Set(report.moved.filter((id) => present.has(id)));
  for (const id of moved) {
    state.versions.set(id, (state.versions.get(id) ?? 0) + 1);
    readSummary(id);
  }
  if (moved.size > 0 || report.status.profiles.some((profile) => profile.decisions)) readConflicts();
  changed();
}

async function readSummary(id) {
  const version = state.versions.get(id);
  try {
    const summary = await ask("summary", { profile: id });
    // A newer one is on its way, or the save is gone.
    if (state.versions.get(id) !== version || !profile(id)) return;
    state.summaries.set(id, summary);
    changed();
  } catch {
    // The card says what the status says; the next change brings another try.
  }
}

let isReadingConflicts = false;
let isToReadAgain = false;

async function readConflicts() {
  isToReadAgain = isReadingConflicts;
  if (isReadingConflicts) return;
  isReadingConflicts = true;
  try {
    state.conflicts = (await ask("conflicts")).conflicts;
    changed();
  } catch {
    // As above.
  } finally {
    isReadingConflicts = false;
    if (isToReadAgain) readConflicts();
  }
}

export function profile(id) {
  return state.status?.profiles.find((profile) => profile.id === id);
}
