// Parts that several places have: names, times, changes, and what is said of something that was asked for.

import { h, show } from "./dom.js";
import { ago, clean, date, value } from "./format.js";
import { translated } from "./sentences.js";
import { t } from "./words.js";

// A text from elsewhere. Its direction of writing stays its own.
export const word = (text, limit) => h("bdi", {}, clean(text, limit));

export const time = (milliseconds) =>
  h("time", { datetime: isoOf(milliseconds), title: date(milliseconds) }, ago(milliseconds));

function isoOf(milliseconds) {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

// What the agent says: each line of it on a line of its own. isPart: it goes on with what stands before it.
export const sentence = (text, isPart = false) => h("span", {}, text.split("\n").map((line) => {
  const shown = translated(line, { isPart });
  return h("span", { class: "line", lang: shown.lang }, shown.text);
}));

// The same within a line.
export function phrase(text, options) {
  const shown = translated(text, options);
  return h("bdi", { lang: shown.lang }, shown.text);
}

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

// Places that were lowered, as a text: "/best from 90 to 80".
export const lowered = (all) => clean(all.map((one) => translated(one, { isPart: true }).text).join(", "));

let fading = null;

// Says what came of something, also to those who hear the page: a text, or several texts and phrases. What went well is said
// for a while.
export function say(words, isBad = false) {
  clearTimeout(fading);
  const all = [words].flat().filter(Boolean);
  if (all.length > 0 && !isBad) fading = setTimeout(say, 20_000, "");
  show(document.getElementById("said"), h("p", { class: isBad ? "bad" : "good" }, all.map((one, index) =>
    [index > 0 && " ", typeof one === "string" ? clean(one, 1000) : one])));
}

// Does something that a button asked for, and says why where it fails. The button waits meanwhile.
export async function doing(button, body) {
  if (button?.getAttribute("aria-busy") === "true") return;
  button?.setAttribute("aria-busy", "true");
  try {
    await body();
  } catch (error) {
    say(phrase(error.message), true);
  } finally {
    button?.removeAttribute("aria-busy");
  }
}
