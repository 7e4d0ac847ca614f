// The shelf on a save's page: what was unlocked in it, when, and on which machine.

import { chronicle } from "./chronicle.js";
import { h } from "./dom.js";
import { list, value } from "./format.js";
import { time, word } from "./parts.js";
import { changed } from "./state.js";
import { trophies } from "./trophies.js";
import { t } from "./words.js";

// How many are seen at once, and how many where all are wanted.
const most = { first: 12, all: 100 };

let known = { id: null, steps: null, found: null };
let isReading = false;

// The section; null where nothing was unlocked.
export function shelf(shown) {
  const steps = chronicle(shown.id);
  if (known.id !== shown.id) known = { id: shown.id, steps: null, found: null };
  if (steps && known.steps !== steps) read(known, steps);
  const all = known.found?.all ?? [];
  if (all.length === 0) return null;
  const [first, others] = [all.slice(0, most.first), all.slice(most.first, most.all)];
  return h("section", { tabindex: "-1", "aria-labelledby": "shelf" },
    h("h2", { id: "shelf" }, t("unlocked", all.length)),
    h("ul", { class: "trophies" }, first.map(trophy)),
    h("div", {}, others.length > 0 && h("details", {},
      h("summary", {}, t("olderTrophies", others.length)),
      h("ul", { class: "trophies" }, others.map(trophy)))),
    h("div", {},
      all.length > most.all && h("p", { class: "faint" }, t("andMore", all.length - most.all)),
      !known.found.isWhole && h("p", { class: "faint" }, t("shelfPartly"))));
}

function trophy({ label, place, key, step }) {
  return h("li", { "data-key": key },
    h("strong", {}, word(value(label), 60)),
    h("code", { class: "faint" }, word(place, 60)),
    h("span", { class: "faint" }, step ? [time(step.time), " · ", word(list(step.devices), 80)] : t("fromBefore")));
}

// One reading at a time: what is drawn after it asks for the next one.
async function read(own, steps) {
  if (isReading) return;
  isReading = true;
  let isDone = true;
  try {
    const found = await trophies(own.id, steps, () => own === known);
    if (found) Object.assign(own, { found });
    isDone = found?.isDone ?? true;
  } catch {
    // The next change brings another try.
  } finally {
    own.steps = isDone ? steps : null;
    isReading = false;
    changed();
  }
}
