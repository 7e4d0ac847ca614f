// One save: how far it is and why, how it went, what happened and the way back, rules, backups, files, starting over.

import { ask } from "./agent.js";
import { bringing } from "./bring.js";
import { chronicle } from "./chronicle.js";
import { h } from "./dom.js";
import { downloadButtons } from "./download.js";
import { bytes, clean, date, value } from "./format.js";
import { stateOf } from "./home.js";
import { keepingButtons } from "./keeping.js";
import { changes, doing, lowered, phrase, say, sentence, time, word } from "./parts.js";
import { pictures } from "./pictures.js";
import { placeButton } from "./place.js";
import { propose } from "./propose.js";
import { questions } from "./questions.js";
import { rules } from "./rules.js";
import { translated } from "./sentences.js";
import { shelf } from "./shelf.js";
import { changed, profile, state } from "./state.js";
import { t } from "./words.js";

// What is shown of a save; read again whenever it changes. asked and asking: the newest questions, about the whole save and about
// each place. Answers to earlier ones are dropped.
let view = fresh(null);

function fresh(id) {
  return {
    id, version: null, history: null, backups: null, limit: 50, device: "", place: "", why: new Map(), fault: null,
    asked: null, asking: new Map(),
  };
}

const page = 50;

export function save(id) {
  const shown = state.status.profiles.length > 0 ? profile(id) : undefined;
  if (!shown) return [h("h1", {}, t("unknownSave")), h("p", {}, h("a", { href: "#/" }, t("back")))];
  if (view.id !== id) view = fresh(id);
  if (view.version !== state.versions.get(id)) read(id);
  const { kind, text } = stateOf(shown);
  const waiting = questions(id);
  return [
    h("p", {}, h("a", { href: "#/" }, "← ", t("back"))),
    h("h1", {}, word(shown.name, 80)),
    h("p", { class: "state " + kind }, text),
    h("div", {}, placeButton(shown)),
    h("div", {}, waiting.length > 0 && h("ul", { class: "needs" }, waiting)),
    fields(shown),
    h("div", {}, pictures(shown)),
    h("div", {}, shelf(shown)),
    history(shown),
    rules(shown),
    backups(shown),
    more(shown),
  ];
}

async function read(id) {
  view.version = state.versions.get(id);
  const wanted = { profile: id, limit: view.limit };
  if (view.place) wanted.pointer = view.place;
  const own = view;
  own.asked = wanted;
  try {
    const [history, backups] = await Promise.all([ask("history", wanted), ask("backups", { profile: id })]);
    if (own.asked !== wanted) return;
    Object.assign(own, { history: history.history, backups: backups.backups, fault: null });
    for (const place of own.why.keys()) explain(own, place);
  } catch (error) {
    if (own.asked !== wanted) return;
    own.fault = error.message;
  }
  changed();
}

// MARK: Why

async function explain(own, place) {
  const wanted = { profile: own.id, pointer: place };
  own.asking.set(place, wanted);
  const answer = await ask("explain", wanted).then((report) => ({ report }), (error) => ({ fault: error.message }));
  if (own.asking.get(place) !== wanted) return;
  own.why.set(place, answer);
  changed();
}

function fields(shown) {
  const summary = state.summaries.get(shown.id);
  const known = (summary?.fields ?? []).map((field) => field.place);
  const others = Array.from(view.why.keys()).filter((place) => !known.includes(place));
  return h("section", { tabindex: "-1", "aria-labelledby": "fields" },
    h("h2", { id: "fields" }, t("fields")),
    h("ul", { class: "places" },
      (summary?.fields ?? []).map((field) =>
        h("li", { "data-key": field.place }, h("code", {}, word(field.place)), " ", h("strong", {}, word(value(field.value))), " ",
          whyButton(field.place), explanation(field.place))),
      others.map((place) => h("li", { "data-key": place }, h("code", {}, word(place)), explanation(place)))),
    h("form", {
      class: "row",
      onsubmit: (event) => {
        event.preventDefault();
        const place = event.target.elements.place.value.trim();
        if (place) doing(event.submitter, () => explain(view, place));
      },
    },
      h("label", {}, t("explainPlace"), h("input", { name: "place", placeholder: t("place"), spellcheck: "false", autocapitalize: "off" })),
      h("button", {}, t("ask"))));
}

function whyButton(place) {
  const isOpen = view.why.has(place);
  return h("button", {
    type: "button", class: "small", "aria-expanded": String(isOpen), "aria-label": t("why") + " " + clean(place, 100),
    onclick: (event) => {
      if (view.why.delete(place)) {
        view.asking.delete(place);
        return changed();
      }
      doing(event.currentTarget, () => explain(view, place));
    },
  }, t("why"));
}

function explanation(place) {
  const known = view.why.get(place);
  if (!known) return null;
  if (known.fault) return h("p", { class: "bad", role: "alert" }, sentence(known.fault));
  return h("div", { class: "why", role: "status" },
    h("p", {}, sentence(known.report.sentence)),
    h("ul", {}, known.report.contributions.map((part) =>
      h("li", { class: part.counts ? "" : "faint" },
        word(part.device, 60), ": ", phrase(part.text, { isPart: true }), part.time !== undefined && [", ", time(part.time)],
        !part.counts && [" – ", t("doesNotCount")]))));
}

// MARK: History

function history(shown) {
  const all = view.history ?? [];
  const whole = chronicle(shown.id)?.toReversed() ?? all;
  const names = Array.from(new Set(whole.flatMap((step) => step.devices))).sort();
  const steps = view.device
    ? (view.place ? all : whole).filter((step) => step.devices.includes(view.device)).slice(0, view.limit) : all;
  return h("section", { tabindex: "-1", "aria-labelledby": "history" },
    h("h2", { id: "history" }, t("history")),
    h("div", { class: "row" },
      h("label", {}, t("filterDevice"),
        h("select", { onchange: (event) => { view.device = event.target.value; changed(); } },
          h("option", { value: "" }, t("everyDevice")),
          names.map((name) => h("option", { value: name, selected: name === view.device }, clean(name, 60))))),
      h("label", {}, t("filterPlace"),
        h("input", {
          placeholder: t("place"), spellcheck: "false", autocapitalize: "off",
          onchange: (event) => { view.place = event.target.value.trim(); read(shown.id); },
        }))),
    h("div", {},
      view.fault && h("p", { class: "bad", role: "alert" }, sentence(view.fault)),
      view.history && steps.length === 0 && h("p", { class: "faint" }, t("noHistory"))),
    h("ol", { class: "timeline" }, steps.map((step) => timelineStep(shown, step))),
    all.length >= view.limit && view.limit < 1000 && h("button", {
      type: "button",
      onclick: (event) => { view.limit += page; doing(event.currentTarget, () => read(shown.id)); },
    }, t("older50")));
}

function timelineStep(shown, step) {
  const origins = t("origins");
  const count = step.changes.length + step.more;
  const name = clean(shown.name, 60);
  return h("li", { "data-key": String(step.number) },
    h("div", { class: "row spread" },
      h("span", {}, h("strong", {}, Object.hasOwn(origins, step.origin) ? origins[step.origin] : clean(step.origin, 40)), " · ",
        time(step.time), step.devices.length > 0 && [" · ", word(step.devices.join(", "), 100)]),
      (count > 0 || step.origin !== "decision") && h("button", {
        type: "button", class: "small", "aria-label": t("takeBack") + " " + step.number,
        onclick: () => propose({
          title: t("undo", name, step.number), means: t("undoMeans"), request: "undo",
          parameters: { profile: shown.id, step: step.number, force: false }, told: t("done", name),
          option: { name: "force", label: t("undoForce"), isShown: true },
        }),
      }, t("takeBack"))),
    count > 0 && h("details", { open: step.changes.length > 0 && step.changes.length <= 3 },
      h("summary", {}, t("changes", count)), changes(step.changes, step.more)),
    step.lowered && h("p", { class: "faint" }, t("lowered", lowered(step.lowered))));
}

// MARK: Backups, and more

function backups(shown) {
  const name = clean(shown.name, 60);
  return h("section", { tabindex: "-1", "aria-labelledby": "backups" },
    h("h2", { id: "backups" }, t("backups")),
    h("div", {}, view.backups?.length === 0 && h("p", { class: "faint" }, t("noBackups"))),
    h("ul", { class: "devices" }, (view.backups ?? []).map((backup) =>
      h("li", { "data-key": backup.name },
        // Of one in a later form, the time is not known.
        h("strong", {}, backup.time > 0 ? time(backup.time) : word(backup.name)),
        h("span", { class: "faint" }, [
          backup.size !== undefined && bytes(backup.size), backup.isPinned && t("pinned"),
          backup.device && t("copyOf", clean(backup.device, 60)), backup.damage && t("damaged", translated(backup.damage, { limit: 300 }).text),
        ].filter(Boolean).join(" · ")),
        !backup.device && !backup.damage && h("button", {
          "data-key": "pin", type: "button", class: "small", "aria-label": t(backup.isPinned ? "unpin" : "pin") + " " + date(backup.time),
          onclick: (event) => doing(event.currentTarget, async () => {
            await ask("pinBackup", { profile: shown.id, backup: backup.name, isPinned: !backup.isPinned });
            if (view.id === shown.id) await read(shown.id);
          }),
        }, t(backup.isPinned ? "unpin" : "pin")),
        !backup.damage && h("button", {
          "data-key": "putBack", type: "button", class: "small", "aria-label": t("putBack") + " " + date(backup.time),
          onclick: () => propose({
            title: t("restore", name), means: t("restoreMeans"), request: "restoreBackup",
            parameters: { profile: shown.id, backup: backup.name }, told: t("done", name),
          }),
        }, t("putBack"))))));
}

function more(shown) {
  const name = clean(shown.name, 60);
  const isPaused = shown.state === "paused";
  return h("section", { tabindex: "-1", "aria-labelledby": "more" },
    h("h2", { id: "more" }, t("more_")),
    h("div", { class: "row" },
      shown.file && h("button", {
        "data-key": "pause", type: "button",
        onclick: (event) => doing(event.currentTarget, async () => {
          await ask(isPaused ? "resume" : "pause", { profile: shown.id });
          say(t(isPaused ? "goesOn" : "isPaused", clean(shown.name, 60)));
        }),
      }, isPaused ? t("resume") : t("pause")),
      downloadButtons(shown),
      h("button", {
        "data-key": "reset", type: "button", class: "danger",
        onclick: (event) => doing(event.currentTarget, async () => {
          const { scopes = [] } = await ask("rules", { profile: shown.id });
          propose({
            title: t("reset", name), means: t("resetMeans"), request: "reset", parameters: { profile: shown.id },
            typed: shown.name, told: t("done", name), field: scopeField(scopes), isReadyAtOnce: true,
          });
        }),
      }, t("startOver"))),
    h("div", { class: "row" }, keepingButtons(shown)),
    bringing(shown));
}

// What of the save starts over: all that its rules name, or one of their parts. Nothing to choose where they name none.
const scopeField = (scopes) => (scopes.length === 0 ? undefined : (members) => h("label", {}, t("scope"),
  h("select", { name: "scope", ...members },
    h("option", { value: "" }, t("everyScope")), scopes.map((scope) => h("option", { value: scope }, clean(scope, 60))))));
