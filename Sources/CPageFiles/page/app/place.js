// Puts a save of the household, which has no file here, on this machine.

import { pathField } from "./add.js";
import { h } from "./dom.js";
import { clean } from "./format.js";
import { changes, phrase, word } from "./parts.js";
import { propose } from "./propose.js";
import { state } from "./state.js";
import { t } from "./words.js";

// The button of one save; nothing for a save that has a file here.
export function placeButton(shown) {
  if (shown.state !== "relayed") return null;
  const name = clean(shown.name, 60);
  return h("button", { "data-key": "place", type: "button", "aria-label": t("putHere") + " " + name, onclick: () => place(shown, name) }, t("putHere"));
}

const place = (shown, name) => propose({
  title: t("putHereTitle", name), means: (preview, { path }) => [t("putHereMeans"), t("noOtherTool"), joins(shown, path)].filter(Boolean).join(" "),
  request: "restore", mayInsist: true, parameters: { profile: shown.id, apart: false },
  field: (members) => pathField({ name: "path", label: t("putHerePath"), ...members }),
  shown: consequences,
  option: (preview) => preview?.sums?.length > 0 && { name: "apart", label: t("apart") },
  told: ({ profile, note }) => [t("isHere", clean(profile.name, 60), clean(profile.file ?? "")), note && phrase(note)],
});

// The file may be that of another save, which is the same one from then on.
function joins(shown, path) {
  const other = state.status.profiles.find(({ id, file }) => file && file === path && id !== shown.id);
  return other && t("putHereJoins", clean(other.name, 60));
}

const limit = 10;

// What becomes of two saves that get one, before it is done.
export function consequences({ profile, changes: others, more, replaced = [], moreReplaced, rules = [], isUnlike, sums = [], wasReset }, { path }) {
  return [
    isUnlike && h("p", { class: "bad" }, t("unlike")),
    wasReset && h("p", { class: "bad" }, t("wasReset")),
    replaced.length > 0 && [h("h3", {}, t("replaced")), h("p", {}, t("replacedMeans")), changes(replaced, moreReplaced)],
    others.length > 0 && [h("h3", {}, t("wouldChangeEverywhere", clean(profile, 60))), changes(others, more)],
    rules.length > 0 && [
      h("h3", {}, t("rulesWouldChange", clean(profile, 60))),
      h("ul", { class: "changes" }, rules.slice(0, limit).map((rule) => h("li", {}, h("code", {}, word(rule))))),
      rules.length > limit && h("p", { class: "faint" }, t("more", rules.length - limit)),
    ],
    sums.length > 0 && [
      h("h3", {}, t("sums")),
      h("p", {}, t("sumsMean")),
      h("ul", { class: "changes" }, sums.slice(0, limit).map((sum) =>
        h("li", {}, h("code", {}, word(sum.place)), " ", t("sum", ...[sum.household, sum.here, sum.together, sum.apart].map((text) => clean(text, 60)))))),
      sums.length > limit && h("p", { class: "faint" }, t("more", sums.length - limit)),
    ],
    h("p", {}, t("putHereGoes"), " ", h("code", {}, word(path))),
  ];
}
