// The page: begins the session, shows the place that the address names, and draws it again whenever something changes.

import { begin } from "./agent.js";
import { h, show } from "./dom.js";
import { clean } from "./format.js";
import { home } from "./home.js";
import { household } from "./household.js";
import { say, sentence } from "./parts.js";
import { save } from "./save.js";
import { prepare } from "./sentences.js";
import { changed, onChange, start, state } from "./state.js";
import { chooseLanguage, language, languageNames, t } from "./words.js";

let refusal = null;

function place() {
  const [, name, id] = location.hash.split("/");
  return { name: name || "home", id: id === undefined ? undefined : safeDecoded(id) };
}

function safeDecoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function draw() {
  prepare();
  const around = focusPath();
  const { name, id } = place();
  document.title = titleOf(name, id);
  show(document.getElementById("skip"), t("skip"));
  show(document.getElementById("top"),
    h("p", { class: "brand" }, "Hearth"),
    h("nav", { "aria-label": t("places") },
      h("a", { href: "#/", "aria-current": name === "home" || name === "save" ? "page" : null }, t("home")),
      h("a", { href: "#/household", "aria-current": name === "household" ? "page" : null }, t("household"))));
  show(document.getElementById("link"), state.link === "lost" && [
    h("p", { class: "bad" }, state.why ? sentence(state.why) : t("linkLost")),
    state.isLostForLong && !state.why && h("p", {}, t("lostForLong"), " ", h("code", {}, "hearth page")),
  ]);
  show(document.getElementById("place"), content(name, id));
  show(document.getElementById("end"),
    h("label", {}, t("language"),
      h("select", { onchange: (event) => { chooseLanguage(event.target.value); draw(); } },
        Object.entries(languageNames).map(([tag, words]) =>
          h("option", { value: tag, lang: tag, selected: tag === language }, words)))));
  keepFocus(around);
}

// What a tab is called: the place, then the page.
function titleOf(name, id) {
  const save = name === "save" && state.status?.profiles.find((profile) => profile.id === id);
  const own = save ? clean(save.name, 60) : name === "household" ? t("household") : null;
  return own === null ? t("title") : `${own} – ${t("title")}`;
}

// The element that has the focus, and what it is in, from the inside.
function focusPath() {
  const path = [];
  for (let node = document.activeElement; node && node !== document.body; node = node.parentElement) path.push(node);
  return path;
}

// Where what had the focus is gone, the focus goes to the part of the page that it was in, so that the next Tab goes on there.
function keepFocus(path) {
  if (path.length === 0 || document.activeElement !== document.body) return;
  const section = path.find((node) => node.isConnected && node.nodeName === "SECTION");
  (section ?? document.getElementById("place")).focus({ preventScroll: true });
}

function content(name, id) {
  if (state.link === "stranger") return stranger();
  if (!state.status) return [h("h1", {}, t(name === "household" ? "household" : "home")), h("p", { class: "faint", role: "status" }, t("busy"))];
  if (name === "save") return save(id);
  return name === "household" ? household() : home();
}

function stranger() {
  return [
    h("h1", {}, t("strangerTitle")),
    refusal && h("p", { class: "bad" }, t("linkFailed"), " ", sentence(refusal)),
    h("p", {}, t("stranger")),
    h("p", {}, h("code", {}, "hearth page")),
  ];
}

async function run() {
  chooseLanguage();
  onChange(draw);
  draw();
  document.getElementById("skip").onclick = () => document.getElementById("place").focus();
  addEventListener("hashchange", () => {
    // A link that was opened in this very tab.
    if (location.hash.startsWith("#code=")) return location.reload();
    show(document.getElementById("said"));
    draw();
    // The address may name a part of the place.
    const part = document.getElementById(location.hash.split("/")[3])?.closest("section");
    (part ?? document.getElementById("place")).focus();
    if (!part) scrollTo(0, 0);
  });
  // A file that is dropped beside its place would take the page away.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
  // What was said an hour ago was not said just now.
  setInterval(() => { if (!document.hidden) changed(); }, 30_000);
  try {
    if (await begin()) return start();
  } catch (error) {
    refusal = error.message;
    say("");
  }
  state.link = "stranger";
  draw();
}

run();
