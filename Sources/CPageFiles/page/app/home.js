// Home: what waits for a person, every save, every machine.

import { adding } from "./add.js";
import { ask } from "./agent.js";
import { h } from "./dom.js";
import { ago, clean, list, value } from "./format.js";
import { placingAll } from "./many.js";
import { doing, phrase, say, sentence, word } from "./parts.js";
import { placeButton } from "./place.js";
import { questions } from "./questions.js";
import { state } from "./state.js";
import { t } from "./words.js";

export function home() {
  const { status } = state;
  const waiting = questions();
  return [
    h("section", { tabindex: "-1", "aria-labelledby": "needs" },
      h("div", { class: "row spread" },
        h("h1", { id: "needs" }, verdict(status, waiting.length)),
        status.household.length > 0 && h("button", { type: "button", class: "main", onclick: sync }, t("syncNow"))),
      waiting.length > 0 && h("ul", { class: "needs" }, waiting)),
    h("section", { tabindex: "-1", "aria-labelledby": "saves" },
      h("h2", { id: "saves" }, t("saves")),
      placingAll(status.profiles),
      h("div", {}, status.profiles.length === 0 ? h("p", {}, t("noSaves")) : h("ul", { class: "cards" }, status.profiles.map(card))),
      adding(status.profiles.length === 0)),
    h("section", { tabindex: "-1", "aria-labelledby": "devices" },
      h("h2", { id: "devices" }, t("devices")),
      devices(status),
      status.household.length === 0 && h("p", {}, t("alone"), " ", h("a", { href: "#/household" }, t("pairIt")))),
  ];
}

function verdict(status, count) {
  if (state.link === "lost") return t("asItWas");
  if (count > 0) return t("needsYou", count);
  const away = status.household.filter((one) => !isSeen(one)).map(({ name }) => name);
  // Rules that match nothing ask nothing of the player, but the save may merge otherwise than was meant.
  const isWell = (one) => !one.ruleFindings && (one.state === "relayed" ? !one.behind : stateOf(one).kind === "good");
  return status.household.length > 0 && away.length < 1 && status.profiles.every(isWell) ? t("allWell") : t("calm", list(away));
}

const sync = (event) => doing(event.currentTarget, async () => {
  say(t("syncing"));
  const report = await ask("sync");
  const behind = [...report.behind, ...(report.filesBehind ?? [])];
  const reasons = [...(report.troubles ?? []), ...(report.held ?? [])].map((reason) => phrase(reason));
  if (behind.length > 0 || reasons.length > 0) say([behind.length > 0 && t("syncBehind", list(behind)), ...reasons], true);
  else say(t("synced", report.inStep.length > 0 ? list(report.inStep) : ""));
});

function card(profile) {
  const summary = state.summaries.get(profile.id);
  const { kind, text } = stateOf(profile);
  return h("li", { "data-key": profile.id, class: "card" },
    h("h3", {}, h("a", { href: "#/save/" + encodeURIComponent(profile.id) }, word(profile.name, 80))),
    h("p", { class: "state " + kind }, text),
    profile.reason && profile.state !== "good" && h("p", { class: "faint" }, sentence(profile.reason)),
    summary?.lastPlayed && h("p", { class: "faint" },
      t("lastPlayed", summary.device && clean(summary.device, 60), ago(summary.lastPlayed))),
    summary && summary.fields.length > 0 && h("dl", { class: "fields" }, summary.fields.slice(0, 4).map((field) =>
      h("div", {}, h("dt", {}, word(field.place, 60)), h("dd", {}, word(value(field.value), 60))))),
    profile.ruleFindings && h("p", { class: "faint" }, t("rulesIdle", profile.ruleFindings.length)),
    profile.file && h("p", { class: "path faint" }, word(profile.file)),
    placeButton(profile));
}

export const isSeen = (one) => one.isThisDevice || one.connected || one.reachedThrough;

// The state of a save, and how good it is: "good", "quiet", "soon" or "bad".
export function stateOf(profile) {
  const { status } = state;
  const [kind, text] = {
    missing: ["bad", t("missing")], paused: ["quiet", t("paused")], behind: ["bad", t("older")], relayed: ["quiet", status.household.length === 0 ? t("noFileHere") : t("relayed")],
  }[profile.state] ?? [];
  if (kind) return { kind, text };
  // Its file may be no save, or one of a newer version, or its rules may be: the reason says which.
  if (profile.state !== "good") return { kind: "bad", text: t("trouble") };
  if (profile.decisions) return { kind: "soon", text: t("waits") };
  if (profile.reason || profile.unreadable.length > 0) return { kind: "bad", text: t("trouble") };
  if (profile.held) return { kind: "soon", text: t("held", clean(profile.held, 60)) };
  if (profile.pending) return { kind: "soon", text: t("pending") };
  if (!profile.lastSync || status.household.length === 0) {
    return { kind: "quiet", text: status.household.length === 0 ? t("keptHere") : t("notElsewhere") };
  }
  if (profile.behind) return { kind: "soon", text: t("behind", list(profile.behind), profile.behind.length) };
  return status.household.every(isSeen)
    ? { kind: "good", text: t("inStep", ago(profile.lastSync)) }
    : { kind: "quiet", text: t("lastInStep", ago(profile.lastSync)) };
}

// Machines whose names are shown alike are shown with the beginning of their ids.
export function deviceName(device, status) {
  return [word(device.name || "?", 60), isOneOfMany(device, status, 60) && h("span", { class: "faint" }, " " + mark(device))];
}

// The same as a text, of so many letters without the id.
export function plainName(device, most = 60) {
  return clean(device.name || "?", most) + (isOneOfMany(device, state.status, most) ? " " + mark(device) : "");
}

// Machines that are linked with one another pass on what comes from a third one.
function through(device, status) {
  const others = status.household.filter(({ id }) => device.reachedThrough.includes(id));
  return t("through", list(others.map((other) => plainName(other))));
}

const isOneOfMany = (device, status, most) =>
  [status.device, ...status.household].filter((other) => clean(other.name, most) === clean(device.name, most)).length > 1;
const mark = (device) => `(${device.id.slice(0, 8)})`;

export function devices(status, more = () => null) {
  return h("ul", { class: "devices" }, [status.device, ...status.household].map((device) =>
    h("li", { "data-key": device.id },
      h("strong", {}, deviceName(device, status)),
      h("span", { class: "state " + (isSeen(device) ? "good" : "quiet") },
        device.isThisDevice ? t("thisDevice") : device.connected ? t("connected") : isSeen(device) ? through(device, status) : t("away")),
      h("span", { class: "facts" },
        device.address && h("span", { class: "faint" }, t("seenAt", clean(device.address, 60))),
        device.found && h("span", { class: "faint" }, t("found", device.found)),
        device.lastSeen && h("span", { class: "faint" }, t("lastSeen", ago(device.lastSeen))),
        device.keepsBackups && h("span", { class: "faint" }, t("keepsCopies", device.sharesBackups)),
        !isSeen(device) && device.reason && h("span", { class: "faint" }, sentence(device.reason))),
      more(device))));
}
