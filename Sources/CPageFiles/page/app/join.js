// Makes one save of two: one of the household, and one that has its file on this machine.

import { h } from "./dom.js";
import { clean } from "./format.js";
import { consequences } from "./place.js";
import { propose } from "./propose.js";
import { state } from "./state.js";
import { t } from "./words.js";

// The button that makes the save "other", whose file is here, one with the save "kept".
export function joinButton(kept, other, label) {
  const names = [kept, other].map(({ name }) => clean(name, 60));
  return h("button", { "data-key": "join " + kept.id, type: "button", onclick: () => propose({
    title: t("joinTitle", ...names), means: t("joinMeans"), request: "restore", parameters: { profile: kept.id, path: other.file, apart: false },
    mayInsist: true, shown: (preview) => consequences(preview, { path: other.file }),
    option: (preview) => preview?.sums?.length > 0 && { name: "apart", label: t("apart") },
    told: ({ profile, note }) => [t("isHere", clean(profile.name, 60), clean(profile.file ?? "")), note].filter(Boolean).join(" "),
  }) }, label);
}

// The saves without a file here that a sentence of the agent names by a command, each with the one save of its name that has one.
export function pairsIn(sentence) {
  const { profiles } = state.status;
  return profiles.filter(({ id, state }) => state === "relayed" && sentence.includes(`hearth restore ${id} --to`)).flatMap((kept) => {
    const here = profiles.filter(({ name, file }) => file && name === kept.name);
    return here.length === 1 ? [{ kept, other: here[0] }] : [];
  });
}
