// The rules of the save that is looked at, as a table; they can be changed line by line, and what would change is shown
// while they are.

import { ask } from "./agent.js";
import { h } from "./dom.js";
import { clean } from "./format.js";
import { changes, doing, say, sentence, word } from "./parts.js";
import { changed, state } from "./state.js";
import { t } from "./words.js";

// What is shown of one save. refusal: why the agent does not tell its rules. rows: the lines that are being changed, each with a key; null while none are. base: the rules that
// they began from. preview, fault: what the agent said; asked: of what; isStale: something was typed since.
const nothingAsked = { preview: null, fault: null, asked: null, isStale: false };

let view = fresh(null);

function fresh(id) {
  return { id, version: null, report: null, refusal: null, rows: null, base: null, isAsking: false, nextKey: 0, ...nothingAsked };
}

export function rules(shown) {
  if (view.id !== shown.id) view = fresh(shown.id);
  const version = state.versions.get(shown.id);
  if (view.version !== version) read(view, version);
  return h("section", { tabindex: "-1", "aria-labelledby": "rules" },
    h("h2", { id: "rules" }, t("rules")),
    h("div", {}, view.refusal && h("p", { class: "bad" }, sentence(view.refusal))),
    view.report && (view.rows ? editor(shown) : reader()));
}

async function read(own, version) {
  own.version = version;
  try {
    const report = await ask("rules", { profile: own.id });
    if (own.version !== version) return;
    Object.assign(own, { report, refusal: null });
  } catch (error) {
    if (own.version !== version) return;
    // What was known of the rules is not in force any more. The next change brings another try.
    Object.assign(own, { report: null, refusal: error.message });
  }
  changed();
}

// MARK: Reading

function reader() {
  const { rules, others } = view.report;
  return h("div", { "data-key": "reader" },
    h("p", { class: "faint" }, rules.length === 0 ? t("noRules") : elsewhere(others)),
    h("div", {}, rules.length > 0 && table(rules)),
    h("div", { class: "row" },
      h("button", { type: "button", onclick: begin }, t("changeRules")),
      rules.length === 0 && h("button", { type: "button", onclick: (event) => doing(event.target, async () => (await guess(view.id)) === false && say(t("noGuess"))) }, t("guessRules"))));
}

const elsewhere = (others) => others > 0 && t("otherPlaces", others);

function table(rules) {
  return h("table", {},
    h("thead", {}, h("tr", {}, ["filterPlace", "rule", "count"].map((name) => h("th", { scope: "col" }, t(name))))),
    h("tbody", {}, rules.map((row) =>
      h("tr", { "data-key": row.rule.place },
        h("th", { scope: "row" }, h("code", {}, place(row.rule.place)), finding(row)),
        h("td", {}, mergeName(row.rule.merge), row.rule.options && [" ", h("code", {}, word(row.rule.options))]),
        h("td", { class: "number" }, String(row.places))))));
}

const place = (text) => (text === "" ? t("wholeSave") : word(text));
const finding = (row) => row?.finding && h("p", { class: "soon" }, sentence(row.finding));

function mergeName(merge) {
  const names = t("merges");
  return Object.hasOwn(names, merge) ? `${merge}: ${names[merge]}` : clean(merge, 40);
}

// MARK: Changing

// Opens the rules that a save without rules suggests, as if they had been typed. Returns whether there are any; null where
// there is no place for them.
export async function guess(id) {
  const report = await ask("rules", { profile: id, guess: true });
  const { rules, guesses } = report;
  // What is being typed stays.
  if (rules.length > 0 || view.rows) return null;
  if (guesses.length === 0) return false;
  const rows = guesses.map(({ rule, reason }, index) => ({ ...rule, reason, key: String(index) }));
  view = { ...fresh(id), report, base: [], rows, nextKey: rows.length };
  edited(view);
  return true;
}

function begin() {
  const base = view.report.rules.map(({ rule }) => rule);
  Object.assign(view, { base, rows: base.map((rule) => ({ ...rule, key: String(view.nextKey++) })), ...nothingAsked });
  changed();
}

function end() {
  Object.assign(view, { rows: null, base: null, ...nothingAsked });
  changed();
}

function editor(shown) {
  const own = view;
  const name = clean(shown.name, 60);
  return h("form", {
    "data-key": "editor",
    onsubmit: (event) => { event.preventDefault(); doing(event.submitter, () => apply(own, name)); },
  },
    own.rows.some((row) => row.reason) && h("p", { "data-key": "guessed" }, t("guessed")),
    h("p", { class: "faint" }, t("rulesMean"), own.report.hasText && [" ", t("rulesLoseText")]),
    h("ul", { class: "rules" }, own.rows.map((row, index) => line(own, row, own.preview?.rules[index]))),
    h("button", { type: "button", onclick: () => add(own) }, t("addRule")),
    h("div", { role: "status" }, outcome(own)),
    h("div", { class: "row" },
      h("button", { class: "main", disabled: !own.preview || own.isStale }, t("applyRules")),
      h("button", { type: "button", onclick: end }, t("cancel"))));
}

function line(own, row, known) {
  const edit = (member) => (event) => { row[member] = event.target.value; delete row.reason; edited(own); };
  return h("li", { "data-key": row.key, class: "row" },
    h("label", {}, t("filterPlace"),
      h("input", { name: "place", value: row.place, spellcheck: "false", autocapitalize: "off", oninput: edit("place") })),
    h("label", {}, t("rule"),
      h("select", { name: "merge", onchange: edit("merge") }, Object.keys(t("merges")).map((merge) =>
        h("option", { value: merge, selected: merge === row.merge }, mergeName(merge))))),
    h("label", {}, t("options"),
      h("input", { name: "options", value: row.options ?? "", spellcheck: "false", autocapitalize: "off", placeholder: '{"as": "date"}', oninput: edit("options") })),
    h("button", {
      type: "button", "aria-label": t("dropRule") + " " + clean(row.place, 100),
      onclick: () => { own.rows = own.rows.filter((other) => other !== row); own.preview = null; edited(own); },
    }, t("dropRule")),
    h("div", { class: "reach" },
      row.reason && h("p", { class: "faint" }, sentence(row.reason)),
      known && [h("span", { class: "faint" }, t("changes", known.places)), finding(known)]));
}

function add(own) {
  own.rows = [...own.rows, { place: "/", merge: "latest", key: String(own.nextKey++) }];
  edited(own);
}

function edited(own) {
  own.isStale = true;
  changed();
  preview(own);
}

const lineOf = ({ place, merge, options }) => ({ place: place.trim(), merge, ...(options?.trim() && { options }) });
const sent = (own) => ({ profile: own.id, from: own.base, to: own.rows.map(lineOf) });

// One question at a time, and the next one at once where something was typed meanwhile.
async function preview(own) {
  if (own.isAsking) return;
  own.isAsking = true;
  while (own.rows && own.isStale) {
    const asked = sent(own);
    const answer = await ask("changeRules", { ...asked, dryRun: true })
      .then((preview) => ({ preview, fault: null }), (error) => ({ preview: null, fault: error.message }));
    if (own.rows) Object.assign(own, answer, { asked, isStale: JSON.stringify(sent(own)) !== JSON.stringify(asked) });
    changed();
  }
  own.isAsking = false;
}

// What would come of the rules as they are typed.
function outcome(own) {
  if (own.fault) return h("p", { class: "bad" }, sentence(own.fault));
  if (!own.preview) return null;
  const { moves, moreMoves, changes: all, more, others } = own.preview;
  return [
    h("h3", {}, t("wouldChange")),
    moves.length === 0 && all.length === 0 && h("p", {}, t("nothingChanges")),
    h("ul", { class: "changes" }, moves.map((move) => h("li", {},
      h("code", {}, place(move.place)), " ", h("span", { class: "old" }, ruleWords(move.old)), " → ",
      h("span", { class: "new" }, ruleWords(move.new))))),
    moreMoves > 0 && h("p", { class: "faint" }, t("more", moreMoves)),
    all.length > 0 && [h("h3", {}, t("valuesChange")), changes(all, more)],
    h("p", { class: "faint" }, elsewhere(others)),
  ];
}

// A rule in words: its own, then its options.
function ruleWords(text) {
  if (!text) return t("nothing");
  const [merge, ...options] = text.split(" ");
  return [mergeName(merge), options.length > 0 && [" ", h("code", {}, word(options.join(" ")))]];
}

async function apply(own, name) {
  // Only what was shown is done.
  if (!own.preview || own.isStale) return;
  own.report = await ask("changeRules", { ...own.asked, dryRun: false });
  end();
  say(t("done", name));
}
