// All that the history has of the save that is looked at. It is read whole once, then only what is new: it may be long.

import { ask } from "./agent.js";
import { changed, state } from "./state.js";

// The most steps that a history has.
const limit = 1000;
// How many steps are read where some are known.
const newest = 20;

let known = fresh(null);
let isReading = false;

function fresh(id) {
  return { id, version: null, steps: null };
}

// The steps of a save, the oldest first; null while none are read. The list is another one whenever the save has changed.
export function chronicle(id) {
  if (known.id !== id) known = fresh(id);
  if (known.version !== state.versions.get(id)) read(known);
  return known.steps;
}

// One reading at a time: what is drawn after it asks for the next one.
async function read(own) {
  if (isReading) return;
  isReading = true;
  const version = state.versions.get(own.id);
  try {
    own.steps = await continued(own);
  } catch {
    // The next change brings another try.
  } finally {
    own.version = version;
    isReading = false;
    changed();
  }
}

async function continued({ id, steps }) {
  if (steps?.length > 0) {
    const { history } = await ask("history", { profile: id, limit: newest });
    const last = history.at(-1);
    const joint = steps.findLastIndex((step) => step.number === last?.number && step.time === last.time);
    if (joint >= 0) return [...steps.slice(0, joint), ...history.reverse()].slice(-limit);
  }
  return (await ask("history", { profile: id, limit })).history.reverse();
}
