// Gives the save, as the household has it, to the browser as a file: the bare save, or all that is known of it, signed.

import { ask } from "./agent.js";
import { h } from "./dom.js";
import { doing, say } from "./parts.js";
import { t } from "./words.js";

// How long the browser has to take the bytes.
const patience = 60_000;

export function downloadButtons(shown) {
  const button = (key, label, body) => h("button", {
    "data-key": key, type: "button", onclick: (event) => doing(event.currentTarget, () => body(shown)),
  }, label);
  return [button("download", t("download"), bare), button("export", t("exportAll"), signed)];
}

async function bare(shown) {
  const { document } = await ask("exportDocument", { profile: shown.id });
  const own = shown.file?.split(/[/\\]/).at(-1);
  give([document], "application/json", own || plainName(shown) + ".json");
}

async function signed(shown) {
  const { data, export: report } = await ask("export", { profile: shown.id });
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  give([bytes], "application/octet-stream", plainName(shown) + ".hearth", report.note);
}

function give(parts, type, name, note) {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), patience);
  say([t("downloaded", name), note].filter(Boolean).join(" "));
}

// The save's name as the name of a file.
const plainName = (shown) => shown.name.replace(/[^\p{L}\p{N} ._-]+/gu, "_").slice(0, 80);
