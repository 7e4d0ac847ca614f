// The agent, asked over the control interface. Which requests there are, and with what, says /api/v1/openapi.json.

import { t } from "./words.js";

const base = "/api/v1/";

// The page's half of its session. It is in this tab alone: neither other tabs nor other addresses can read it.
let proof = sessionStorage.getItem("hearth-proof");

export class Failure extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
  // The player has to choose: nothing is wrong with what was asked for.
  get isChoice() {
    return this.code === 3;
  }
  // The session has ended, or was never begun: only "hearth page" brings a new one.
  get isStranger() {
    return this.status === 401 || this.status === 403;
  }
}

// Begins a session with the code of the link, and takes the code out of the address. Returns whether there is one.
export async function begin() {
  const code = /^#code=([0-9a-f]+)$/.exec(location.hash)?.[1];
  if (code) {
    history.replaceState(null, "", "/#/");
    const answer = await fetch(base + "session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    if (!answer.ok) throw await failure(answer);
    proof = (await answer.json()).proof;
    sessionStorage.setItem("hearth-proof", proof);
  }
  return proof !== null;
}

function post(path, parameters, signal) {
  return fetch(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-hearth-proof": proof ?? "" },
    body: JSON.stringify(parameters),
    signal,
  }).catch((error) => { throw signal?.aborted ? error : new Failure(0, 1, t("linkLost")); });
}

async function failure(answer) {
  try {
    const { error } = await answer.json();
    return new Failure(answer.status, error.code, error.message);
  } catch {
    return new Failure(answer.status, 1, answer.statusText);
  }
}

// Sends a request and returns the response. Throws a Failure with the agent's sentence.
export async function ask(name, parameters = {}) {
  const answer = await post("requests/" + name, parameters);
  if (!answer.ok) throw await failure(answer);
  return answer.json();
}

// Has an encrypted file opened, or a signed one encrypted, as base64. A wrong passphrase is a Failure with a sentence.
export const unseal = (data, passphrase) => withPassphrase("unseal", data, passphrase);
export const seal = (data, passphrase) => withPassphrase("seal", data, passphrase);

async function withPassphrase(path, data, passphrase) {
  const answer = await post(path, { data, passphrase });
  if (!answer.ok) throw await failure(answer);
  return (await answer.json()).data;
}

// Sends a request that stays open, such as "pair": gives each message when it comes. Ending the loop takes the request back.
export async function* stream(name, parameters = {}, signal) {
  const answer = await post("requests/" + name, parameters, signal);
  if (!answer.ok) throw await failure(answer);
  for await (const line of lines(answer.body)) {
    if (line === "") continue;
    const message = JSON.parse(line);
    if (message.error) throw new Failure(200, message.error.code, message.error.message);
    yield message;
  }
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      yield* parts;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// Waits until somebody looks at this tab. It says now and then that it is there: a page that nobody uses is served no more.
async function looked() {
  if (!document.hidden) return;
  const sign = setInterval(() => fetch("/healthz").catch(() => {}), 120_000);
  await new Promise((done) => {
    document.addEventListener("visibilitychange", function look() {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      done();
    });
  });
  clearInterval(sign);
}

// Follows the agent while the page is open, and takes up a broken connection where it was. A browser has six connections, so a
// tab that is not seen gives its own back.
//
// take(report, isNew): how everything is; isNew where something may have been missed.
// tell(state, why): "live", "lost", or "stranger", which is the end; why is the agent's sentence, where it has refused.
export async function follow(take, tell) {
  let last = null;
  let pause = 250;
  for (;;) {
    await looked();
    const stop = new AbortController();
    const hide = () => { if (document.hidden) stop.abort(); };
    document.addEventListener("visibilitychange", hide);
    let why = null;
    try {
      const headers = { "x-hearth-proof": proof ?? "" };
      if (last !== null) headers["last-event-id"] = last;
      const answer = await fetch(base + "events", { headers, signal: stop.signal });
      if (!answer.ok) throw await failure(answer);
      tell("live");
      pause = 250;
      let event = {};
      for await (const line of lines(answer.body)) {
        if (line === "") {
          if (event.data) take(JSON.parse(event.data), event.event === "reset" || last === null);
          if (event.id) last = event.id;
          event = {};
        } else {
          const colon = line.indexOf(": ");
          event[line.slice(0, colon)] = line.slice(colon + 2);
        }
      }
    } catch (error) {
      if (error instanceof Failure && error.isStranger) return tell("stranger");
      if (error instanceof Failure) why = error.message;
    } finally {
      document.removeEventListener("visibilitychange", hide);
    }
    if (stop.signal.aborted) continue;
    tell("lost", why);
    await new Promise((done) => setTimeout(done, pause));
    pause = Math.min(pause * 2, 4000);
  }
}
