// Parts that several places have: names, times, changes, and acts that are shown before they are done.

import { ask } from "./agent.js";
import { h, show } from "./dom.js";
import { ago, clean, date, value } from "./format.js";
import { t } from "./words.js";

// A text from elsewhere. Its direction of writing stays its own.
export const word = (text, limit) => h("bdi", {}, clean(text, limit));

export const time = (milliseconds) =>
  h("time", { datetime: isoOf(milliseconds), title: date(milliseconds) }, ago(milliseconds));

function isoOf(milliseconds) {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

// A sentence of the agent, which is English.
export const sentence = (text) => h("span", { lang: "en" }, text.split("\n").map((line) => h("span", { class: "line" }, clean(line, 1000))));

// Places with their values before and after.
export function changes(all, more = 0) {
  return [
    h("ul", { class: "changes" }, all.map((change) =>
      h("li", {},
        h("code", {}, word(change.place || "/")), " ",
        h("span", { class: "old" }, word(value(change.old))), " → ", h("span", { class: "new" }, word(value(change.new)))))),
    more > 0 && h("p", { class: "faint" }, t("more", more)),
  ];
}

// Says what came of something, also to those who hear the page.
export function say(text, isBad = false) {
  show(document.getElementById("said"), h("p", { class: isBad ? "bad" : "good" }, clean(text, 1000)));
}

// Does something that a button asked for, and says why where it fails. The button waits meanwhile.
export async function doing(button, body) {
  if (button?.getAttribute("aria-busy") === "true") return;
  button?.setAttribute("aria-busy", "true");
  try {
    await body();
  } catch (error) {
    say(error.message, true);
  } finally {
    button?.removeAttribute("aria-busy");
  }
}

// Shows what an act would change, and does it once the player says so.
//
// title, means: texts. request, parameters: what is sent; the preview is the same with another name. typed: a text that has
// to be typed first. told: the sentence afterwards.
export function propose({ title, means, request, parameters, typed, told, hasPreview = true }) {
  const dialog = document.getElementById("ask");
  let preview = null;
  let fault = null;
  let isReady = !hasPreview;
  let isTyped = typed === undefined;
  const draw = () => show(dialog,
    h("form", { method: "dialog", onsubmit: (event) => { event.preventDefault(); perform(event.submitter); } },
      h("h2", { id: "ask-title" }, title),
      h("p", {}, means),
      fault && h("p", { class: "bad", role: "alert" }, sentence(fault)),
      !fault && !isReady && h("p", { class: "faint", role: "status" }, t("busy")),
      preview && consequences(preview, request),
      typed !== undefined && h("label", {}, t("typeName", clean(typed, 100)),
        h("input", { autocomplete: "off", oninput: (event) => { isTyped = event.target.value === typed; draw(); } })),
      h("div", { class: "row" },
        h("button", { class: "main", disabled: Boolean(fault) || !isReady || !isTyped }, t("go")),
        h("button", { type: "button", onclick: () => dialog.close() }, fault ? t("close") : t("cancel")))));
  const perform = (button) => doing(button, async () => {
    const sent = { ...parameters };
    if (preview?.question !== undefined && (request === "accept" || request === "keep")) sent.question = preview.question;
    await ask(request, sent);
    dialog.close();
    say(told);
  });
  show(dialog);
  draw();
  dialog.showModal();
  if (!hasPreview) return;
  ask("preview." + request, parameters)
    .then((report) => { preview = report; isReady = true; }, (error) => { fault = error.message; })
    .then(draw);
}

function consequences(preview, request) {
  const heading = request === "keep" ? t("wouldNotCount") : t("wouldChange");
  return h("div", {},
    h("h3", {}, heading),
    preview.changes.length === 0 ? h("p", {}, t("nothingChanges")) : changes(preview.changes, preview.more),
    preview.movedOn > 0 && h("p", { class: "faint" }, t("movedOn", preview.movedOn)),
    preview.keeps?.backups.length > 0 && h("p", { class: "faint" }, t("keptIn", preview.keeps.backups.map((name) => clean(name)).join(", "))));
}
