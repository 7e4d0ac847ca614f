// Pictures on a save's page: how its numbers went, and which machine wrote them.

import { chronicle } from "./chronicle.js";
import { h } from "./dom.js";
import { ago, clean, date, list, value } from "./format.js";
import { word } from "./parts.js";
import { bounds, numberOf, series, thinned } from "./series.js";
import { state } from "./state.js";
import { t } from "./words.js";

const most = { pictures: 4, points: 200, marks: 40 };

// The picture, in its own units: a line of text above the curve, and two below it.
const size = { width: 320, height: 140, left: 6, right: 306, top: 20, bottom: 102 };

// Machines are told apart by the dash of their line and the mark of their points; those behind the last one share it.
const dashes = ["", "7 4", "2 3", "10 3 2 3", "4 4"];
const marks = ["m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0", "m-3 -3h6v6h-6z", "m0 -4.5l4 7.5h-8z", "m0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z", "m-3.5 -1h7v2h-7z"];

// The section; null where there is nothing to draw. The places are those of the card.
export function pictures(shown) {
  const steps = chronicle(shown.id);
  const fields = (state.summaries.get(shown.id)?.fields ?? []).filter((field) => numberOf(field.value) !== null);
  const drawn = fields.slice(0, most.pictures)
    .map(({ place }) => ({ place, points: pointsOf(steps, place) }))
    .filter(({ points }) => points.filter((point) => point.number !== null).length > 1);
  if (drawn.length === 0) return null;
  return h("section", { tabindex: "-1", "aria-labelledby": "pictures" },
    h("h2", { id: "pictures" }, t("overTime")),
    h("ul", { class: "pictures" }, drawn.map(({ place, points }, index) =>
      h("li", { "data-key": place, class: "card" }, picture(place, points, "picture" + index)))));
}

// The points of each place, for the history that they are of.
const known = { steps: null, points: new Map() };

function pointsOf(steps, place) {
  if (known.steps !== steps) Object.assign(known, { steps, points: new Map() });
  if (!known.points.has(place)) known.points.set(place, series(steps ?? [], place));
  return known.points.get(place);
}

function picture(place, all, id) {
  const points = thinned(all, most.points);
  const writers = writersOf(all);
  return h("figure", {},
    h("svg", { class: "picture", viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-labelledby": `${id}-title ${id}-words` },
      h("title", { id: `${id}-title` }, t("pictureOf", clean(place, 60))),
      h("desc", { id: `${id}-words` }, words(all)),
      h("g", { "aria-hidden": "true" }, drawing(points, writers))),
    h("figcaption", {},
      h("code", {}, word(place, 60)),
      h("ul", { class: "legend" }, writers.map((name, number) =>
        h("li", { "data-key": name }, sample(number), word(name, 80), " ",
          h("span", { class: "faint" }, t("lastWas", clean(value(lastOf(all, writers, number).text), 24))))))));
}

// What the picture shows, for those who hear it.
function words(points) {
  const numbers = points.filter((point) => point.number !== null);
  const { low, high } = bounds(numbers);
  const [first, last] = [numbers[0], numbers.at(-1)].map(({ text, by, time }) => [clean(value(text), 40), list(by), ago(time)]);
  return t("pictureWords", first, last, clean(value(low.text), 40), clean(value(high.text), 40), points.length);
}

// The writers of the points, in the order in which they first wrote. Several that wrote one step are one writer: nothing says
// which of them changed this place.
function writersOf(points) {
  const names = Array.from(new Set(points.map((point) => list(point.by))));
  return names.length <= dashes.length ? names : [...names.slice(0, dashes.length - 1), t("otherMachines")];
}

function writerOf(point, writers) {
  const number = writers.indexOf(list(point.by));
  return number < 0 ? writers.length - 1 : number;
}

function lastOf(points, writers, number) {
  return points.findLast((point) => point.number !== null && writerOf(point, writers) === number)
    ?? points.findLast((point) => writerOf(point, writers) === number);
}

// MARK: Drawing

function drawing(points, writers) {
  const { low, high } = bounds(points);
  const placed = placedPoints(points, low.number, high.number);
  const { left, right, top, bottom, width } = size;
  const [first, last] = [points[0].time, points.at(-1).time].map((time) => date(time));
  return [
    h("path", { class: "frame", d: `M${left} ${top}H${width - left}M${left} ${bottom}H${width - left}` }),
    writers.map((name, number) => h("path", {
      class: "curve by" + number, "stroke-dasharray": dashes[number] || null, d: curve(placed, (point) => writerOf(point, writers) === number),
    })),
    writers.map((name, number) => h("path", {
      class: "mark by" + number,
      d: placed.filter(({ point }) => (points.length <= most.marks ? writerOf(point, writers) === number : point === lastOf(points, writers, number)))
        .filter(({ y }) => y !== null).map(({ x, y }) => `M${x} ${y}${marks[number]}`).join(""),
    })),
    h("text", { x: left, y: top - 6 }, clean(value(high.text), 24)),
    low.number !== high.number && h("text", { x: left, y: bottom + 17 }, clean(value(low.text), 24)),
    h("text", { class: "when", x: left, y: bottom + 34 }, first),
    last !== first && h("text", { class: "when", x: right + 8, y: bottom + 34, "text-anchor": "end" }, last),
  ];
}

function placedPoints(points, low, high) {
  const { left, right, top, bottom } = size;
  const [first, last] = [points[0].time, points.at(-1).time];
  const short = (number) => Math.round(number * 10) / 10;
  return points.map((point, index) => {
    const across = last > first ? (point.time - first) / (last - first) : index / (points.length - 1);
    // Halves, as the difference of two numbers may be too large for one.
    const up = high > low ? (point.number / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
    return { point, x: short(left + across * (right - left)), y: point.number === null ? null : short(bottom - up * (bottom - top)) };
  });
}

// The line of one writer: from what was there to what it wrote, and on until the next one wrote.
function curve(placed, isOwn) {
  return placed.map(({ point, x, y }, index) => {
    if (!isOwn(point)) return "";
    const former = index > 0 ? placed[index - 1].y : null;
    if (y === null) return "";
    return `M${x} ${former ?? y}V${y}H${placed[index + 1]?.x ?? x + 8}`;
  }).join("");
}

function sample(number) {
  return h("svg", { class: "sample", viewBox: "0 0 34 12", "aria-hidden": "true" },
    h("path", { class: "curve by" + number, "stroke-dasharray": dashes[number] || null, d: "M1 6H33" }),
    h("path", { class: "mark by" + number, d: "M17 6" + marks[number] }));
}
