// Finds out why a machine is not seen, or a save not in step: the agent tries each thing that may be in the way.

import { ask } from "./agent.js";
import { h } from "./dom.js";
import { ago, clean } from "./format.js";
import { doing, say, sentence, word } from "./parts.js";
import { changed } from "./state.js";
import { t } from "./words.js";

// The last DoctorReport, and when it came; null before the first one.
let last = null;

export function doctor() {
  return h("section", { tabindex: "-1", "aria-labelledby": "doctor" },
    h("h2", { id: "doctor" }, t("doctor")),
    h("p", { class: "faint" }, t("doctorMeans")),
    h("button", { type: "button", onclick: (event) => doing(event.currentTarget, look) }, t("doctorAsk")),
    h("div", {}, last && [
      h("p", { class: "faint" }, t("doctorTime", ago(last.time))),
      h("ul", { class: "places" }, last.report.findings.map(finding)),
    ]));
}

async function look() {
  say(t("doctorTries"));
  const report = await ask("doctor");
  last = { report, time: Date.now() };
  const wrong = report.findings.filter(({ ok }) => !ok).length;
  say(wrong === 0 ? t("doctorWell") : t("doctorWrong", wrong), wrong > 0);
  changed();
}

function finding({ kind, ok, about, sentence: text, command }, index) {
  return h("li", { "data-key": kind + index },
    h("span", { class: "state " + (ok ? "good" : "bad") }, t(ok ? "isWell" : "isWrong")),
    about && [" ", h("strong", {}, word(about, 60))],
    sentence(text),
    command && h("p", {}, h("code", {}, clean(command, 1000))));
}
