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

// The act that the dialog is about; null while it is closed. What comes late of another one is not shown in it.
let current = null;

// Shows what an act would change, and does it once the player says so.
//
// title, means: texts; means may be a function of the preview, which is null at first. request, parameters: what is sent; the
// preview is the same with another name, or with dryRun where the request has that. typed: a text that has to be typed first.
// told: the sentence afterwards, or a function of the answer. option: a further parameter, as { name, label }, which the
// player can set to true. agreed: further parameters that follow from the preview.
export function propose({ title, means, request, parameters, typed, told, option, agreed, dryRun, hasPreview = true }) {
  const dialog = document.getElementById("ask");
  const own = {};
  current = own;
  let preview = null;
  let fault = null;
  let isReady = !hasPreview;
  let isTyped = typed === undefined;
  let isChosen = false;
  const draw = () => {
    if (current !== own) return;
    show(dialog,
      h("form", { method: "dialog", onsubmit: (event) => { event.preventDefault(); perform(event.submitter); } },
        h("h2", { id: "ask-title" }, title),
        h("p", {}, typeof means === "function" ? means(preview) : means),
        h("div", {},
          fault && h("p", { class: "bad", role: "alert" }, sentence(fault)),
          !fault && !isReady && h("p", { class: "faint", role: "status" }, t("busy"))),
        h("div", {}, preview && consequences(preview, request)),
        h("div", {},
          typed !== undefined && h("label", {}, t("typeName", clean(typed, 100)),
            h("input", { autocomplete: "off", oninput: (event) => { isTyped = flat(event.target.value) === flat(typed); draw(); } })),
          option && h("label", { class: "check" },
            h("input", { type: "checkbox", onchange: (event) => { isChosen = event.target.checked; } }), option.label)),
        h("div", { class: "row" },
          h("button", { class: "main", disabled: Boolean(fault) || !isReady || !isTyped }, t("go")),
          h("button", { type: "button", onclick: () => dialog.close() }, fault ? t("close") : t("cancel")))));
  };
  const perform = (button) => doing(button, async () => {
    const sent = { ...parameters, ...agreed?.(preview) };
    if (dryRun) sent.dryRun = false;
    if (option) sent[option.name] = isChosen;
    if (preview?.question !== undefined && (request === "accept" || request === "keep")) sent.question = preview.question;
    let answer;
    try {
      answer = await ask(request, sent);
    } catch (error) {
      // Behind the dialog nobody would see it.
      if (current !== own) throw error;
      fault = error.message;
      return draw();
    }
    if (current === own) dialog.close();
    say(typeof told === "function" ? told(answer) : told);
  });
  dialog.onclose = () => {
    if (dialog.open) return;
    current = null;
    // What opened it may be gone.
    if (document.activeElement === document.body) document.getElementById("place").focus({ preventScroll: true });
  };
  show(dialog);
  draw();
  dialog.showModal();
  if (!hasPreview) return;
  (dryRun ? ask(request, { ...parameters, dryRun: true }) : ask("preview." + request, parameters))
    .then((report) => { preview = report; isReady = true; }, (error) => { fault = error.message; })
    .then(draw);
}

// A text as people type it: as it is shown, with single spaces.
const flat = (text) => clean(text, 100).replace(/\s+/g, " ").trim();

function consequences(preview, request) {
  const heading = request === "keep" ? t("wouldNotCount") : t("wouldChange");
  return h("div", {},
    h("h3", {}, heading),
    preview.changes.length === 0 ? h("p", {}, t("nothingChanges")) : changes(preview.changes, preview.more),
    preview.movedOn > 0 && h("p", { class: "faint" }, t("movedOn", preview.movedOn)),
    preview.keeps?.backups.length > 0 && h("p", { class: "faint" }, t("keptIn", preview.keeps.backups.map((name) => clean(name)).join(", "))));
}
