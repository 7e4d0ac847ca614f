// Brings a file into a save: one that another machine exported, or a plain save; dropped on the page, or chosen.

import { unseal } from "./agent.js";
import { h } from "./dom.js";
import { ago, bytes, clean } from "./format.js";
import { doing, phrase, say } from "./parts.js";
import { propose } from "./propose.js";
import { t } from "./words.js";

// The most bytes that a request takes, and the three quarters of them that are left of a file in base64.
export const most = Math.floor(((1 << 21) - 4096) * 0.75);

// The place to drop a file; for one save, or for whatever save a file of another machine holds.
export function bringing(shown = null) {
  return h("div", {
    "data-key": "bring", class: "drop",
    ondragover: (event) => { event.preventDefault(); event.currentTarget.classList.add("over"); },
    ondragleave: (event) => event.currentTarget.classList.remove("over"),
    ondrop: (event) => {
      event.preventDefault();
      event.currentTarget.classList.remove("over");
      take(shown, event.dataTransfer.files[0]);
    },
  },
    h("label", {}, t("bring"),
      h("input", {
        type: "file", name: "file", accept: ".json,.hearth,application/json", "aria-describedby": "bring-means",
        onchange: (event) => {
          take(shown, event.target.files[0]);
          // So that the same file can be chosen again.
          event.target.value = "";
        },
      })),
    h("p", { id: "bring-means", class: "faint" }, t(shown ? "bringMeans" : "bringAnyMeans")));
}

function take(shown, file) {
  if (!file) return;
  doing(null, async () => {
    const name = clean(file.name, 60);
    if (file.size > most) return say(t("bringLarge", name, bytes(most)), true);
    const isPlain = await isJSON(file);
    if (isPlain && !shown) return say(t("bringToSave", name), true);
    const data = await base64(file);
    if (await isSealed(file)) open(shown, name, data);
    else bring(shown, name, data, isPlain);
  });
}

// A field for a passphrase, which no browser is to keep.
export const passphraseField = ({ label, ...members }) => h("label", {}, label, h("input", { type: "password", required: true, autocomplete: "off", ...members }));

// Asks for the passphrase of an encrypted file, and goes on with the file that is in it.
const open = (shown, name, data) => propose({
  title: t("sealedTitle", name), means: t("sealedMeans"), hasPreview: false, go: t("open"),
  field: (members) => passphraseField({ name: "passphrase", label: t("passphrase"), ...members }),
  send: ({ passphrase }) => unseal(data, passphrase),
  next: (opened) => bring(shown, name, opened, false),
});

const bring = (shown, name, data, isPlain) => propose({
  title: t("bringTitle", name),
  means: (report, _, fault) => (fault ? "" : meaning(report, shown)),
  request: isPlain ? "importDocument" : "importTransfer",
  parameters: isPlain ? { data, profile: shown.id } : { data, trusting: false },
  dryRun: true, isPointless: (report) => isPlain && report.changes.length === 0,
  // The player reads whose file it is before it counts.
  agreed: isPlain ? undefined : (report) => ({ trusting: report.source !== "member" }),
  told: (report) => t("done", clean(report.profile, 60)),
});

// Whether a file begins as a plain save does. What neither this nor a transfer file is, the agent says.
async function isJSON(file) {
  const start = await file.slice(0, 4096).text();
  return /^\uFEFF?\s*[{[]/.test(start);
}

// Whether a transfer file is encrypted: its form, behind eight bytes and its version.
async function isSealed(file) {
  const start = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  return [0x89, 0x48, 0x54, 0x46].every((byte, at) => start[at] === byte) && start[10] === 1;
}

function base64(file) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(file);
  });
}

// Whose file it is, and what would follow.
function meaning(report, shown) {
  if (!report) return t("bringChecks");
  const device = clean(report.device ?? "", 60);
  const words = {
    document: t("bringPlain"),
    member: t("bringMember", device, ago(report.exported)),
    removedMember: t("bringRemoved", device),
    unknownSigner: t("bringStranger", device),
  }[report.source] ?? "";
  const other = report.id !== shown?.id && t(report.isNew ? "bringNew" : shown ? "bringOther" : "bringTo", clean(report.profile, 60));
  return [words, other, report.note && phrase(report.note)].filter(Boolean).join(" ");
}
