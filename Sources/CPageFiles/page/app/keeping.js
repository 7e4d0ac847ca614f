// Another name, another place of the file, and the end of keeping a save.

import { pathField } from "./add.js";
import { h } from "./dom.js";
import { clean } from "./format.js";
import { propose } from "./propose.js";
import { t } from "./words.js";

const button = (shown, key, kind, act) => h("button", {
  "data-key": key, type: "button", class: kind, onclick: () => propose({ hasPreview: false, parameters: { profile: shown.id }, ...act }),
}, t(key));

export const newNameField = (members) => h("label", {}, t("newName"), h("input", { name: "to", required: true, autocomplete: "off", ...members }));

export const renameButton = (shown) => button(shown, "rename", "", {
  title: t("renameTitle", clean(shown.name, 60)), means: t("renameMeans"), request: "rename", parameters: { subject: shown.id },
  field: newNameField, told: t("renamed"),
});

export function keepingButtons(shown) {
  const name = clean(shown.name, 60);
  return [
    renameButton(shown),
    shown.file && button(shown, "moved", "", {
      title: t("movedTitle", name), means: t("movedMeans"), request: "move", mayInsist: true,
      field: (members) => pathField({ name: "path", label: t("movedPath"), ...members }),
      told: ({ profile }) => t("isHere", clean(profile.name, 60), clean(profile.file ?? "")),
    }),
    shown.file && button(shown, "leave", "", {
      title: t("leaveTitle", name), means: t("leaveMeans"), request: "remove", told: t("left", name),
    }),
    button(shown, "forget", "danger", {
      title: t("forgetTitle", name), means: t("forgetMeans"), request: "forget", typed: shown.name, told: t("forgotten", name),
      next: () => { location.hash = "#/"; },
    }),
  ];
}
