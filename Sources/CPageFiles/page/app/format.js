// How names, values and times are shown.

import { language, t } from "./words.js";

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

// A text on one line, without characters that are not seen or that turn the direction of writing, and not too long.
export function clean(text, limit = 300) {
  const shown = String(text).replace(hidden, (character) => (character === "\u200d" ? character : " "));
  const letters = Array.from(shown);
  return letters.length > limit ? letters.slice(0, limit).join("") + "…" : shown;
}

// A value of a save: JSON text, a string without its quotes.
export function value(json) {
  if (json === undefined || json === null) return t("nothing");
  // Of a list, a summary says how many entries it has; no JSON text reads so.
  const counted = /^(\d+) entr(?:y|ies)$/.exec(json);
  if (counted) return t("entries", Number(counted[1]));
  try {
    const read = JSON.parse(json);
    if (typeof read === "string") return read === "" ? '""' : clean(read, 120);
  } catch {
    // A summary cuts a long text, and the quote at its end with it.
    if (/^"[^"]*…$/.test(json)) return clean(json.slice(1), 120);
  }
  return clean(json, 120);
}

const steps = [
  ["second", 60], ["minute", 60], ["hour", 24], ["day", 30.44], ["month", 12], ["year", Infinity],
];

// A time as people say it: "3 minutes ago".
export function ago(milliseconds) {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  let count = (milliseconds - Date.now()) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(count) < size) return words.format(Math.round(count), unit);
    count /= size;
  }
  return date(milliseconds);
}

// The date and time in full.
export function date(milliseconds) {
  const time = new Date(milliseconds);
  if (Number.isNaN(time.getTime())) return "?";
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(time);
}

export function bytes(count) {
  const unit = count >= 1048576 ? "megabyte" : count >= 1024 ? "kilobyte" : "byte";
  const size = { byte: 1, kilobyte: 1024, megabyte: 1048576 }[unit];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: size === 1 ? "long" : "short", maximumFractionDigits: 1 }).format(count / size);
}

// Several names as people say them.
export function list(names) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(names.map((name) => clean(name, 60)));
}
