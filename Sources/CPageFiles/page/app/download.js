// Gives the save, as the household has it, to the browser as a file: the bare save, or all that is known of it, signed, and
// encrypted where the player wants that.

import { ask, seal } from "./agent.js";
import { most, passphraseField } from "./bring.js";
import { h } from "./dom.js";
import { bytes, clean } from "./format.js";
import { doing, phrase, say } from "./parts.js";
import { propose, Remark } from "./propose.js";
import { t } from "./words.js";

// How long the browser has to take the bytes.
const patience = 60_000;

export function downloadButtons(shown) {
  const button = (key, label, body) => h("button", {
    "data-key": key, type: "button", onclick: (event) => doing(event.currentTarget, () => body(shown)),
  }, label);
  return [button("download", t("download"), bare), button("export", t("exportAll"), signed), button("seal", t("exportSealed"), sealed)];
}

async function bare(shown) {
  const { document } = await ask("exportDocument", { profile: shown.id });
  const own = shown.file?.split(/[/\\]/).at(-1);
  give([document], "application/json", own || plainName(shown) + ".json");
}

async function signed(shown) {
  const { data, export: report } = await ask("export", { profile: shown.id });
  giveSigned(shown, data, report.note);
}

const giveSigned = (shown, data, note) =>
  give([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], "application/octet-stream", plainName(shown) + ".hearth", note);

const sealed = (shown) => propose({
  title: t("sealTitle", clean(shown.name, 60)), means: t("sealMeans"), hasPreview: false, go: t("seal"),
  // What is mistyped cannot be seen.
  field: (members) => ["passphrase", "again"].map((name) => passphraseField({ name, label: t(name), ...members })),
  send: async ({ passphrase, again }) => {
    if (passphrase !== again) throw new Remark(t("sealDiffers"));
    const { data, export: report } = await ask("export", { profile: shown.id });
    if (data.length * 0.75 > most) throw new Remark(t("sealLarge", bytes(most)));
    giveSigned(shown, await seal(data, passphrase), report.note);
  },
});

function give(parts, type, name, note) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), patience);
  say([t("downloaded", name), note && phrase(note)]);
}

// The save's name as the name of a file.
const plainName = (shown) => shown.name.replace(/[^\p{L}\p{N} ._-]+/gu, "_").slice(0, 80);
