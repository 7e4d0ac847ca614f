// The page's one dialog: an act is shown before it is done.

import { ask } from "./agent.js";
import { h, show } from "./dom.js";
import { clean } from "./format.js";
import { changes, doing, say, sentence } from "./parts.js";
import { onChange, profile, state } from "./state.js";
import { t } from "./words.js";

// The act that the dialog is about; null while it is closed. What comes late of another one is not shown in it.
let current = null;

const dialog = () => document.getElementById("ask");

// Shows what an act would change, and does it once the player says so.
//
// title, means: texts; means may be a function of the preview (null at first), of what was typed, and of what is wrong.
// request, parameters: what is sent; the preview is the same under another name, or with dryRun.
// typed: a text to be typed first. told: the sentence afterwards, or a function of the answer.
// option: a parameter { name, label } that can be set to true, or a function of the preview; isShown: the preview is of it, too.
// agreed: parameters that follow from the preview.
// field: makes the label and the input of a parameter that is typed; the preview is asked for whenever it was.
// isReadyAtOnce: what stands in the field from the start can be sent as it is.
// shown: makes what is said of the preview. send: does the act in place of one request; it may throw a Remark.
// mayInsist: what is refused because of another tool can be done anyway.
// isPointless: whether a preview says that nothing would come of it.
// go: the word of the button. next: goes on from the answer, once the dialog is closed.
export function propose(act) {
  // entered: what was typed. edition: counts its changes, so that the preview of a former one is dropped.
  const own = {
    hasPreview: true, ...act, preview: null, fault: null, isRemark: false, isAsking: false, entered: {}, edition: 0, isChoice: false,
    isTyped: act.typed === undefined, isChosen: false, isSending: false, asked: null,
  };
  current = own;
  dialog().onclose = () => {
    if (dialog().open) return;
    current = null;
    // A passphrase may have been typed.
    own.entered = {};
    show(dialog());
    // What opened it may be gone.
    if (document.activeElement === document.body) document.getElementById("place").focus({ preventScroll: true });
  };
  show(dialog());
  draw(own);
  say("");
  dialog().showModal();
  if (own.field && !own.isReadyAtOnce) return;
  // Without a preview the button is ready at once, so Return must not do it.
  if (own.hasPreview) look(own);
  else dialog().querySelector("[type=button]").focus();
}

// Why an act is not done, in the words of the page and not the agent's.
export class Remark extends Error {}

const isReady = (own) => !own.hasPreview || own.preview !== null;
const optionOf = (own) => (typeof own.option === "function" ? own.option(own.preview) : own.option);

function draw(own) {
  if (current !== own) return;
  const { preview, fault, typed } = own;
  const option = optionOf(own);
  // What was typed can be mended, so it can be sent again.
  const isTyping = own.field && !own.isReadyAtOnce;
  const isStuck = !isTyping && (Boolean(fault) || !isReady(own));
  show(dialog(), h("form", { method: "dialog", onsubmit: (event) => { event.preventDefault(); submit(own, event.submitter); } },
    h("h2", { id: "ask-title" }, own.title),
    h("p", { id: "ask-means" }, typeof own.means === "function" ? own.means(preview, own.entered, fault) : own.means),
    h("div", {}, own.field?.({ "aria-describedby": "ask-means", oninput: (event) => enter(own, event.target) })),
    h("div", {}, preview && (own.shown ? own.shown(preview, own.entered) : consequences(preview, own.request))),
    h("div", {},
      typed !== undefined && h("label", {}, t("typeName", clean(typed, 100)),
        h("input", { autocomplete: "off", oninput: (event) => { own.isTyped = flat(event.target.value) === flat(typed); draw(own); } })),
      option && h("label", { class: "check" },
        h("input", { type: "checkbox", onchange: (event) => choose(own, option, event.target.checked) }), option.label)),
    h("div", {},
      fault && h("p", { class: "bad", role: "alert", tabindex: "-1" }, own.isRemark ? fault : sentence(fault)),
      own.isAsking && h("p", { class: "faint", role: "status" }, t("busy"))),
    h("div", { class: "row" },
      h("button", { class: "main", disabled: isStuck || !own.isTyped || (preview && own.isPointless?.(preview)) }, isTyping && !isReady(own) ? t("look") : own.go ?? t("go")),
      h("button", { type: "button", onclick: () => dialog().close() }, fault && !own.field ? t("close") : t("cancel")),
      own.mayInsist && own.isChoice && h("button", { "data-key": "anyway", name: "anyway" }, t("anyway")))));
}

function enter(own, { name, type, value }) {
  own.edition += 1;
  // What is not chosen is not sent.
  const text = value === "" ? undefined : type === "password" ? value : value.trim();
  Object.assign(own, { entered: { ...own.entered, [name]: text, ...(own.mayInsist && { anyway: false }) }, preview: null, fault: null, isChoice: false, isAsking: false });
  if (own.isReadyAtOnce) look(own);
  else draw(own);
}

function choose(own, option, isChosen) {
  own.isChosen = isChosen;
  if (!option.isShown) return;
  Object.assign(own, { edition: own.edition + 1, preview: null });
  look(own);
}

const submit = (own, button) => doing(button, async () => {
  const insists = button?.name === "anyway";
  if (insists) own.entered.anyway = true;
  await (isReady(own) ? perform(own) : look(own));
  // The button is gone, and with it the focus.
  if (insists && current === own) dialog().querySelector(".main").focus();
});

async function look(own) {
  const { edition, request, dryRun } = own;
  own.asked = askedIn(own);
  const option = optionOf(own);
  const sent = { ...own.parameters, ...own.entered, ...(option?.isShown && { [option.name]: own.isChosen }) };
  Object.assign(own, { fault: null, isChoice: false, isAsking: true });
  draw(own);
  const answer = await (dryRun ? ask(request, { ...sent, dryRun: true }) : ask("preview." + request, sent))
    .then((preview) => ({ preview, fault: null }), ({ message, isChoice }) => ({ preview: null, fault: message, isChoice }));
  if (edition !== own.edition) return;
  Object.assign(own, answer, { isAsking: false });
  draw(own);
}

async function perform(own) {
  const { preview, request, told } = own;
  const option = optionOf(own);
  const sent = { ...own.parameters, ...own.entered, ...own.agreed?.(preview) };
  if (own.dryRun) sent.dryRun = false;
  if (option) sent[option.name] = own.isChosen;
  if (preview?.question !== undefined && isAnswer(own)) sent.question = preview.question;
  let answer;
  own.isSending = true;
  try {
    answer = await (own.send ? own.send(sent) : ask(request, sent));
  } catch (error) {
    // Behind the dialog nobody would see it.
    if (current !== own) throw error;
    Object.assign(own, { isSending: false, fault: error.message, isChoice: error.isChoice, isRemark: error instanceof Remark });
    if (own.field) own.preview = null;
    draw(own);
    // The button that had the focus is greyed, unless something can be typed.
    if (!own.field) dialog().querySelector("[role=alert]").focus();
    return;
  }
  const isShown = current === own;
  if (isShown) dialog().close();
  if (told) say(typeof told === "function" ? told(answer) : told);
  own.entered = {};
  if (isShown) own.next?.(answer);
}

// Whether the act answers a question, and what is asked about its save.
const isAnswer = ({ request }) => request === "accept" || request === "keep";
const askedIn = ({ parameters }) => JSON.stringify([profile(parameters?.profile)?.decisions, profile(parameters?.profile)?.remark]);

// The question may have been answered on another machine, or be another one by now: what the answer means is looked up again.
onChange(() => {
  if (current && isAnswer(current) && !current.isSending && current.asked !== askedIn(current)) look(current);
});

// Another place of the page, or Back: the dialog was about the former one.
addEventListener("hashchange", () => dialog().close());

// A text as people type it: as it is shown, with single spaces.
const flat = (text) => clean(text, 100).replace(/\s+/g, " ").trim();

function consequences(preview, request) {
  const heading = request === "keep" ? t("wouldNotCount") : t("wouldChange");
  return h("div", {},
    h("h3", {}, heading),
    preview.changes.length === 0 ? h("p", {}, t("nothingChanges")) : changes(preview.changes, preview.more),
    preview.movedOn > 0 && h("p", { class: "faint" }, t("movedOn", preview.movedOn)),
    preview.keeps?.backups.length > 0 && h("p", { class: "faint" }, t("keptIn", preview.keeps.backups.map((name) => clean(name)).join(", "))));
}
