// Parts that several places have: names, times, changes, and what is said of something that was asked for.

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

let fading = null;

// Says what came of something, also to those who hear the page. What went well is said for a while.
export function say(text, isBad = false) {
  clearTimeout(fading);
  if (text && !isBad) fading = setTimeout(say, 20_000, "");
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
