// Adds a save: where its file is on this machine, and what it is to be called.

import { ask } from "./agent.js";
import { bringing } from "./bring.js";
import { h } from "./dom.js";
import { clean } from "./format.js";
import { doing, phrase, say, sentence } from "./parts.js";
import { guess } from "./rules.js";
import { changed } from "./state.js";
import { t } from "./words.js";

// Why what was typed could not be added, in the agent's words, and whether the player may insist; null for nothing.
let fault = null;

// The form. It is open from the start where there is no save yet.
export function adding(isFirst) {
  return h("details", { "data-key": "add", class: "add", open: isFirst },
    h("summary", {}, t("add")),
    h("form", { class: "lines", onsubmit: (event) => { event.preventDefault(); add(event.target, event.submitter); } },
      h("p", { id: "add-means", class: "faint" }, t("addMeans"), " ", t("noOtherTool")),
      pathField({ name: "path", label: t("addPath"), "aria-describedby": "add-means", oninput: forget }),
      h("label", {}, t("addName"), h("input", { name: "name", autocomplete: "off" })),
      h("div", { role: "alert" }, fault && h("p", { class: "bad" }, sentence(fault.message))),
      h("div", { class: "row" }, h("button", { class: "main" }, t("addIt")),
        fault?.isChoice && h("button", { "data-key": "anyway", name: "anyway" }, t("anyway")))),
    bringing());
}

// It spoke of another path.
function forget() {
  if (!fault) return;
  fault = null;
  changed();
}

// A field for a path of this machine: a browser tells none of a file that is chosen.
export const pathField = ({ label, ...members }) => h("label", {}, label, h("input", {
  required: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "/home/ada/.game/save.json",
  pattern: "\\s*/.*", title: t("wholePath"), ...members,
}));

const add = (form, button) => doing(button, async () => {
  const path = form.elements.path.value.trim();
  try {
    const answer = await ask("add", { path, name: form.elements.name.value.trim() || stem(path), anyway: button?.name === "anyway" && path === fault?.path });
    const { id, name, state, reason } = answer.profile;
    fault = null;
    form.reset();
    const remarks = [answer.note, state !== "good" && reason].filter(Boolean);
    const isHere = location.hash.length < 3;
    if (remarks.length === 0 && isHere && await guess(id).catch(() => false)) {
      location.hash = `#/save/${id}/rules`;
      // Another place begins without what was said.
      await new Promise((done) => addEventListener("hashchange", done, { once: true }));
    }
    say([t("added", clean(name, 60)), ...remarks.map((remark) => phrase(remark))], remarks.length > 0);
  } catch (error) {
    // What was typed stays, to be mended.
    fault = Object.assign(error, { path });
  }
  changed();
});

// The name of a file without its ending, as the command takes it.
const stem = (path) => path.split("/").filter(Boolean).at(-1)?.replace(/(.)\.[^.]*$/, "$1") ?? path;
