// Puts all saves that have no file here into a folder, and says how far that is and what became of it.

import { pathField } from "./add.js";
import { stream } from "./agent.js";
import { h } from "./dom.js";
import { phrase, say, sentence, word } from "./parts.js";
import { propose } from "./propose.js";
import { changed } from "./state.js";
import { t } from "./words.js";

// How far the work is, as { done, of }; null while there is none.
let progress = null;

// The saves that could not be put here by the last work, each with its reason.
let left = [];

export function placingAll(profiles) {
  const saves = profiles.filter((profile) => profile.state === "relayed");
  return h("div", { class: "lines" },
    h("div", { role: "status" }, progress && h("p", {}, t("puttingAll", progress.done, progress.of))),
    !progress && saves.length > 1 && h("button", { "data-key": "all", type: "button", onclick: () => placeAll(saves) }, t("putAll", saves.length)),
    left.length > 0 && h("div", { "data-key": "left", class: "lines" },
      h("p", {}, t("putAllLeft")),
      h("ul", { class: "changes" }, left.map(({ profile, message }) =>
        h("li", {}, h("strong", {}, word(profile, 60)), " ", sentence(message ?? "")))),
      h("button", { type: "button", onclick: () => { left = []; changed(); } }, t("wasRead"))));
}

const placeAll = (saves) => propose({
  title: t("putAllTitle", saves.length), means: [t("putAllMeans"), t("noOtherTool")].join(" "), hasPreview: false, mayInsist: true,
  field: (members) => pathField({ name: "folder", label: t("putAllFolder"), ...members, placeholder: "/home/ada/saves" }),
  send: ({ folder, anyway }) => begin({ folder, anyway, profiles: saves.map(({ id }) => id) }),
});

// Begins the work, and returns once it goes on by itself. Throws the sentence with which it is refused.
async function begin(parameters) {
  const messages = stream("restoreMany", parameters);
  const first = await messages.next();
  if (first.done) return;
  left = [];
  take(first.value);
  follow(messages);
}

async function follow(messages) {
  try {
    for await (const message of messages) take(message);
  } catch (error) {
    say(phrase(error.message), true);
  } finally {
    progress = null;
    changed();
  }
}

function take(message) {
  if (message.event === "restoring") {
    progress = { done: message.done, of: message.of };
  } else {
    left = message.saves.filter(({ outcome }) => outcome === "failed");
    const count = message.saves.length;
    say(t("allHere", count - left.length, count), left.length > 0);
  }
  changed();
}
