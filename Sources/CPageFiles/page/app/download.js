// Gives the save, as the household has it, to the browser as a file.

import { ask } from "./agent.js";
import { h } from "./dom.js";
import { doing, say } from "./parts.js";
import { t } from "./words.js";

// How long the browser has to take the bytes.
const patience = 60_000;

export function downloadButton(shown) {
  return h("button", {
    "data-key": "download", type: "button",
    onclick: (event) => doing(event.currentTarget, () => download(shown)),
  }, t("download"));
}

async function download(shown) {
  const { document } = await ask("exportDocument", { profile: shown.id });
  const name = fileName(shown);
  const address = URL.createObjectURL(new Blob([document], { type: "application/json" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), patience);
  say(t("downloaded", name));
}

// The name of the save's file on this machine; else of the save.
function fileName(shown) {
  const own = shown.file?.split(/[/\\]/).at(-1);
  return own || shown.name.replace(/[^\p{L}\p{N} ._-]+/gu, "_").slice(0, 80) + ".json";
}
