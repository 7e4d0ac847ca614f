// What waits for a person: choices, questions about saves, and troubles, each with what can be answered.

import { ask } from "./agent.js";
import { h } from "./dom.js";
import { clean, value } from "./format.js";
import { joinButton, pairsIn } from "./join.js";
import { renameButton } from "./keeping.js";
import { doing, say, sentence, time, word } from "./parts.js";
import { propose } from "./propose.js";
import { translated } from "./sentences.js";
import { changed, profile as saveOf, state } from "./state.js";
import { t } from "./words.js";

// What the agent would settle by "keep", for each save about which something is asked: it says of which kind the question
// is, and names it, so that no other one is settled by the answer. Read again whenever the words of the question have
// changed.
const asked = new Map();

function questionOf(profile) {
  const words = JSON.stringify([profile.decisions, profile.remark, state.versions.get(profile.id)]);
  const known = asked.get(profile.id);
  if (known?.words !== words) {
    asked.set(profile.id, { ...known, words });
    ask("preview.keep", { profile: profile.id }).then(
      ({ keeps, question }) => note(profile.id, { words, keeps, question }),
      () => note(profile.id, { words }));
  }
  return asked.get(profile.id);
}

function note(id, answer) {
  if (asked.get(id)?.words !== answer.words) return;
  asked.set(id, answer);
  changed();
}

// Everything that waits, as elements; of one save where its id is given.
export function questions(only) {
  const profiles = state.status.profiles.filter((profile) => !only || profile.id === only);
  const troubles = only ? [] : state.status.troubles.map(ofMachine);
  return [...profiles.flatMap(ofSave), ...(only ? [] : newcomers()), ...troubles];
}

// Where two saves have one name, they may be one game's progress. What another machine forgot is told until it was read.
function ofMachine(text, index) {
  const pairs = pairsIn(text);
  const forgotten = /; to hear no more of this: hearth remove ([0-9A-Za-z-]+)$/.exec(text)?.[1];
  return h("li", { "data-key": "trouble" + index },
    sentence(text),
    h("div", { class: "row" },
      pairs.map(({ kept, other }) => [joinButton(kept, other, t("join")), renameButton(kept)]),
      forgotten && h("button", {
        "data-key": "read " + forgotten, type: "button",
        onclick: (event) => doing(event.currentTarget, () => ask("remove", { profile: forgotten })),
      }, t("wasRead"))));
}

// Machines that another one let in. That the player knows them is said of all that are shown.
function newcomers() {
  const all = state.status.newcomers ?? [];
  return all.map((text, index) => h("li", { "data-key": "newcomer " + text },
    h("h2", {}, t("newcomer")),
    h("p", {}, sentence(text)),
    h("div", { class: "row" },
      index === all.length - 1 && h("button", {
        "data-key": "know", type: "button",
        onclick: (event) => doing(event.currentTarget, () => ask("devices", { seen: true })),
      }, t("know", all.length)),
      h("a", { "data-key": "household", href: "#/household" }, t("toRemove")))));
}

function ofSave(profile) {
  const choices = state.conflicts.filter((conflict) => conflict.id === profile.id);
  const items = choices.map((conflict) => (conflict.candidates.length > 0 ? choice(conflict) : information(profile, conflict)));
  // A choice is among the decisions as well; what is left is about saves.
  const open = choices.filter((conflict) => conflict.candidates.length > 0).length;
  const decisions = (profile.decisions ?? []).filter((text) => open === 0 || !text.includes("hearth conflicts"));
  if (decisions.length > 0 || profile.remark) items.push(question(profile, decisions));
  const troubles = [
    profile.state !== "relayed" && profile.state !== "paused" && profile.reason && sentence(profile.reason),
    profile.backupTrouble && t("noBackup", translated(profile.backupTrouble).text),
    profile.unreadable.length > 0 && t("unreadable", clean(profile.unreadable.join(", "), 1000)),
  ].filter(Boolean);
  if (troubles.length > 0) items.push(trouble(profile, troubles));
  return items;
}

const heading = (name, profile) => h("h2", {}, t(name, clean(profile, 60)));

function choice(conflict) {
  return h("li", { "data-key": "choice " + conflict.id + conflict.place },
    heading("choice", conflict.profile),
    h("p", {}, t("choiceAt", clean(conflict.place, 100))),
    h("ul", { class: "sides" }, conflict.candidates.map((candidate, index) =>
      h("li", { "data-key": String(index) },
        h("strong", {}, word(value(candidate.value))),
        h("span", { class: "faint" }, word(candidate.device, 60), ", ", time(candidate.time)),
        h("button", {
          type: "button",
          "aria-label": t("take") + ": " + value(candidate.value),
          onclick: (event) => doing(event.currentTarget, async () => {
            const picked = { choice: index + 1, value: candidate.value };
            await ask("resolve", { profile: conflict.id, pointer: conflict.place, ...picked });
            say(t("done", conflict.profile));
          }),
        }, t("take"))))));
}

function information(profile, conflict) {
  return h("li", { "data-key": "information " + conflict.id + conflict.place },
    heading("remark", profile.name),
    h("p", {}, h("code", {}, word(conflict.place)), " ", sentence(conflict.information ?? "", true)));
}

function trouble(profile, all) {
  return h("li", { "data-key": "state " + profile.id },
    heading("troubleOf", profile.name),
    all.map((one) => h("p", {}, one)));
}

function question(profile, decisions) {
  const { keeps, question } = questionOf(profile);
  const kind = keeps?.question;
  const isAsked = decisions.length > 0 || kind || keeps?.staysApart;
  const button = (key, label, act) => h("button", { "data-key": key, type: "button", onclick: act }, label);
  const name = clean(profile.name, 60);
  const accept = (title, means, apart) => () => propose({
    title: t(title, name), means: t(means), request: "accept", parameters: { profile: profile.id, apart }, told: t("done", name),
  });
  const keep = () => propose({
    title: t("keep", name), means: t(kind === "savedTwice" ? "bothMeans" : "keepMeans"), request: "keep", parameters: { profile: profile.id }, told: t("done", name),
  });
  return h("li", { "data-key": "question " + profile.id },
    heading(isAsked ? "question" : "remark", profile.name),
    h("div", {}, [...decisions, ...(profile.remarks ?? [])].map((text) => h("p", {}, sentence(text)))),
    h("div", { class: "row" }, keeps && [
      kind === "save" && button("save", t("acceptSave"), accept("accept", "acceptMeans", false)),
      keeps.joins && saveOf(keeps.joins) && joinButton(saveOf(keeps.joins), profile, t("areOne")),
      kind === "savedTwice" && button("once", t("countOnce"), accept("once", "onceMeans", false)),
      kind === "amounts" && [
        button("read", t("acceptAmounts"), accept("read", "readMeans", false)),
        button("apart", t("acceptApart"), accept("apartOf", "apartMeans", true)),
      ],
      kind || keeps.staysApart
        ? button("keep", t("keepHave"), keep)
        : profile.remark && button("remark", t("wasRead"), (event) =>
            doing(event.currentTarget, () => ask("keep", { profile: profile.id, question }))),
    ]));
}
