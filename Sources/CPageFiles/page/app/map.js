// A map of the household: which machines are linked with each other now, as far as this one can know, and who let whom in.

import { h } from "./dom.js";
import { list } from "./format.js";
import { isSeen, plainName } from "./home.js";
import { state } from "./state.js";
import { t } from "./words.js";

const size = { width: 360, height: 240, radius: 76, spot: 11 };
// The most machines on a picture; a list says the same of more.
const most = 12;

// The section; null where this machine is alone.
export function map() {
  const { device, household } = state.status;
  if (household.length === 0) return null;
  const all = [device, ...household];
  const links = linksOf(device, household);
  const sentences = all.map((one) => words(one, all, links));
  return h("section", { tabindex: "-1", "aria-labelledby": "map" },
    h("h2", { id: "map" }, t("map")),
    h("div", {}, all.length <= most && [
      h("svg", { class: "map", viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-labelledby": "map", "aria-describedby": "map-words" },
        drawing(all, links)),
      h("ul", { class: "legend", "aria-hidden": "true" }, ["linked", "letIn"].map((kind) =>
        h("li", {}, h("svg", { class: "sample", viewBox: "0 0 34 12" }, h("path", { class: "wire " + kind, d: "M1 6H33" })), t(kind)))),
    ]),
    h("ul", { id: "map-words", class: "changes" }, sentences.map((text, index) => h("li", { "data-key": all[index].id }, text))));
}

// Pairs of ids: linked now, and let in by each other without a link that is known now.
function linksOf(device, household) {
  const links = new Map();
  const add = (one, other, kind) => {
    const key = [one, other].sort().join();
    if (one !== other && links.get(key)?.kind !== "linked") links.set(key, { one, other, kind });
  };
  const known = new Set([device.id, ...household.map(({ id }) => id)]);
  for (const other of household) {
    for (const by of other.broughtInBy ?? []) if (known.has(by)) add(by, other.id, "letIn");
    if (other.connected) add(device.id, other.id, "linked");
    for (const through of other.reachedThrough ?? []) if (known.has(through)) add(through, other.id, "linked");
  }
  return Array.from(links.values());
}

function words(one, all, links) {
  const nameOf = (id) => plainName(all.find((other) => other.id === id));
  const others = links.filter((link) => link.kind === "linked" && (link.one === one.id || link.other === one.id))
    .map((link) => nameOf(link.one === one.id ? link.other : link.one));
  const by = (one.broughtInBy ?? []).filter((id) => all.some((other) => other.id === id)).map(nameOf);
  return [
    others.length > 0 ? t("linkedWith", nameOf(one.id), list(others)) : t("linkedWithNobody", nameOf(one.id)),
    by.length > 0 && t("letInBy", list(by)),
  ].filter(Boolean).join(" ");
}

function drawing(all, links) {
  const places = new Map(all.map(({ id }, index) => {
    const turn = (index / all.length) * 2 * Math.PI - Math.PI / 2;
    const round = (number) => Math.round(number * 10) / 10;
    return [id, { x: round(size.width / 2 + 1.5 * size.radius * Math.cos(turn)), y: round(size.height / 2 + size.radius * Math.sin(turn)) }];
  }));
  return [
    links.map(({ one, other, kind }) => {
      const [from, to] = [places.get(one), places.get(other)];
      return h("path", { class: "wire " + kind, d: `M${from.x} ${from.y}L${to.x} ${to.y}` });
    }),
    all.map((device) => {
      const { x, y } = places.get(device.id);
      return h("g", {},
        h("circle", { class: "spot" + (device.isThisDevice ? " own" : isSeen(device) ? "" : " away"), cx: x, cy: y, r: size.spot }),
        h("text", { x, y: y + (y > size.height / 2 ? 28 : -18), "text-anchor": "middle" }, plainName(device, 18)));
    }),
  ];
}
