// Household: pairing, machines, who is linked with whom, what happened lately.

import { ask, stream } from "./agent.js";
import { doctor } from "./doctor.js";
import { h } from "./dom.js";
import { ago, clean, list } from "./format.js";
import { devices, plainName } from "./home.js";
import { newNameField } from "./keeping.js";
import { log } from "./log.js";
import { map } from "./map.js";
import { doing, phrase, say } from "./parts.js";
import { propose } from "./propose.js";
import { codePicture } from "./qr.js";
import { changed, state } from "./state.js";
import { t } from "./words.js";

// The code that is shown here: its message, and what takes it back; null while none is.
let shown = null;

export function household() {
  const { status } = state;
  return [
    h("h1", {}, t("household")),
    h("section", { tabindex: "-1", "aria-labelledby": "pairing" },
      h("h2", { id: "pairing" }, t("pairing")),
      h("div", { class: "pairing" }, showing(), typing())),
    h("section", { tabindex: "-1", "aria-labelledby": "devices" },
      h("h2", { id: "devices" }, t("devices")),
      devices(status, (device) => (device.isThisDevice ? naming(device) : removal(device)))),
    h("div", {}, map()),
    doctor(),
    log(),
  ];
}

// MARK: Pairing

function showing() {
  if (!shown) {
    return h("div", { "data-key": "no code" },
      h("button", { type: "button", class: "main", onclick: (event) => doing(event.currentTarget, async () => showCode()) }, t("showCode")));
  }
  return h("div", { "data-key": "code", class: "code" },
    shown.message && [
      codePicture(shown.message.code, t("codePicture")),
      h("p", { class: "big" }, h("output", {}, shown.message.code)),
      h("p", {}, t("codeHelp")),
      h("p", { class: "faint" }, t("codeUntil", ago(shown.message.expires))),
      shown.message.addresses && h("p", { class: "faint" }, t("codeAddress", clean(shown.message.addresses.join(", ")))),
    ],
    !shown.message && h("p", { role: "status" }, t("busy")),
    h("button", { type: "button", onclick: () => shown?.stop.abort() }, t("hideCode")));
}

async function showCode() {
  if (shown) return;
  const own = { message: null, stop: new AbortController() };
  shown = own;
  changed();
  try {
    for await (const message of stream("pair", {}, own.stop.signal)) {
      if (message.event === "code") own.message = message;
      if (message.event === "paired") say(t("paired", message.device.name));
      changed();
    }
  } catch (error) {
    if (!own.stop.signal.aborted) say(phrase(error.message), true);
  } finally {
    shown = null;
    changed();
  }
}

function typing() {
  return h("form", {
    "data-key": "typing",
    onsubmit: (event) => {
      event.preventDefault();
      const { code, address } = event.target.elements;
      const sent = { code: code.value.trim() };
      if (address.value.trim()) sent.address = address.value.trim();
      doing(event.submitter, async () => {
        say(t("pairing_"));
        const answer = await ask("join", sent);
        event.target.reset();
        say(t("paired", answer.device.name));
      });
    },
  },
    h("label", {}, t("codeHere"),
      h("input", { name: "code", required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", placeholder: "K7QM-2XWD-9TRB-H4FG", "aria-describedby": "code-form" })),
    h("p", { id: "code-form", class: "faint" }, t("codeForm")),
    h("label", {}, t("address"), h("input", { name: "address", autocomplete: "off", spellcheck: "false", pattern: "\\s*\\S+:[0-9]+\\s*" })),
    h("button", {}, t("pair")));
}

function naming(device) {
  return h("button", {
    "data-key": "rename", type: "button", class: "small",
    onclick: () => propose({
      title: t("renameTitle", plainName(device)), means: t("renameDeviceMeans"), request: "rename", parameters: { subject: device.id },
      hasPreview: false, field: newNameField, told: t("renamed"),
    }),
  }, t("rename"));
}

function removal(device) {
  const name = plainName(device);
  return h("button", {
    type: "button", class: "small danger", "aria-label": t("remove") + " " + name,
    onclick: () => {
      const others = broughtIn(device.id);
      propose({
        title: t("removeTitle", name), means: t("removeMeans"), request: "unpair",
        parameters: { device: device.id, withBroughtIn: false }, hasPreview: false, told: t("removed", name),
        option: others.length > 0 && { name: "withBroughtIn", label: t("removeOthers", list(others), others.length) },
      });
    },
  }, t("remove"));
}

// The names of the machines that nobody but one machine let in: whoever has stolen that one may have paired them.
function broughtIn(id) {
  const found = state.status.household.filter((other) => other.broughtInBy?.length === 1 && other.broughtInBy[0] === id);
  return found.map((other) => `${clean(other.name, 60)} (${other.id.slice(0, 8)})`);
}
