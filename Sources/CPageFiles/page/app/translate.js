// Puts a sentence of the agent into German, by the list in german.js. A sentence is compared with the fixed words of each
// entry, and what stands between them are its values. Of all ways to read it, the one counts that explains the most letters.

import { parts, sentences } from "./german.js";

// How long a sentence may be, how deep parts may lie in parts, how many parts are looked at, how many joints each may have, and
// how many sentences are kept with their German.
const most = { letters: 4000, depth: 8, looks: 400, joints: 20, known: 500 };
// The fewest letters of fixed words: with fewer, any text might be taken for a sentence of the agent.
const least = 6;

const letters = (text) => text.match(/\p{L}/gu)?.length ?? 0;
const hasLetters = (text) => /\p{L}/u.test(text);

// An entry: its fixed words in English, how many letters they have, and its German as texts and values. number: which value;
// isPart: whether that value is put into German as well.
function entry([english, german]) {
  const fixed = english.split("#");
  let next = 0;
  const pieces = german.split(/([#§]\d?)/).filter(Boolean).map((piece) => {
    if (!/^[#§]/.test(piece)) return piece;
    next = Number(piece.slice(1)) || next + 1;
    return { number: next - 1, isPart: piece[0] === "§" };
  });
  return { fixed, weight: letters(fixed.join("")), pieces };
}

let entries = null;

// The values of a text that has the fixed words of an entry, once with the first ones as short as can be and once with the last
// ones; empty where it has not.
function values(text, { fixed }) {
  if (fixed.length === 1) return text === fixed[0] ? [[]] : [];
  const [start, end] = [fixed[0].length, text.length - fixed.at(-1).length];
  if (end <= start || !text.startsWith(fixed[0]) || !text.endsWith(fixed.at(-1))) return [];
  const words = fixed.slice(1, -1);
  const found = between(text, words, start, end, false);
  return found && words.length > 0 ? [found, between(text, words, start, end, true)].filter(Boolean) : found ? [found] : [];
}

// The values from start to end, between which the words stand; null where they do not, or leave one of them empty.
function between(text, words, start, end, isFromEnd) {
  const places = [];
  let [low, high] = [start + 1, end - 1];
  for (const one of isFromEnd ? words.toReversed() : words) {
    const at = isFromEnd ? text.lastIndexOf(one, high - one.length) : text.indexOf(one, low);
    if (at < low || at + one.length > high) return null;
    places.push([at, at + one.length]);
    if (isFromEnd) high = at - 1;
    else low = at + one.length + 1;
  }
  const all = [[start, start], ...(isFromEnd ? places.toReversed() : places), [end, end]];
  return all.slice(1).map(([at], index) => text.slice(all[index][1], at));
}

// What joins several parts to one text. A whole sentence has only the first of them.
const joints = ["; ", ", ", " + ", " − "];

// Reads one text. What was found out about its parts is kept meanwhile, and bounds the work.
function reader() {
  const known = new Map();

  function best(text, isPart, depth) {
    if (depth === 0 || !hasLetters(text)) return null;
    const key = isPart + text;
    if (known.has(key)) return known.get(key);
    if (known.size >= most.looks) return null;
    known.set(key, null);
    let found = null;
    const consider = (one) => { if (one && one.weight > (found?.weight ?? 0)) found = one; };
    for (const one of isPart ? entries.all : entries.sentences) {
      for (const all of values(text, one)) consider(filled(one, all, depth));
    }
    for (const joint of isPart ? joints : joints.slice(0, 1)) {
      for (const place of places(text, joint)) consider(joined(text.slice(0, place), joint, text.slice(place + joint.length), isPart, depth));
    }
    known.set(key, found);
    return found;
  }

  function filled({ weight, pieces }, all, depth) {
    const texts = pieces.map((piece) => {
      if (typeof piece === "string") return { german: piece, weight: 0, isOwn: true };
      return (piece.isPart && best(all[piece.number], true, depth - 1)) || { german: all[piece.number], weight: 0, isOwn: false };
    });
    return together(texts, weight);
  }

  // Two parts, each of which has to be German, a command, or without letters.
  function joined(one, joint, other, isPart, depth) {
    const texts = [one, other].map((text) =>
      best(text, isPart, depth - 1) ?? (isCommand(text) || !hasLetters(text) ? { german: text, weight: 0, isOwn: false } : null));
    return texts.includes(null) ? null : together([texts[0], { german: joint, weight: 0 }, texts[1]], 0);
  }

  return best;
}

const isCommand = (text) => text.startsWith("hearth ");

const together = (texts, weight) => ({
  german: texts.map((one) => one.german).join(""), weight: texts.reduce((sum, one) => sum + one.weight, weight), isOwn: texts[0].isOwn,
});

function places(text, joint) {
  const all = [];
  for (let at = text.indexOf(joint); at >= 0 && all.length < most.joints; at = text.indexOf(joint, at + 1)) all.push(at);
  return all;
}

const known = new Map();

// The text in German; null where the list does not have it. isPart: it may also be a part of a sentence.
export function german(text, isPart = false) {
  const key = isPart + text;
  if (!known.has(key)) {
    if (known.size >= most.known) known.clear();
    known.set(key, found(text, isPart));
  }
  return known.get(key);
}

function found(text, isPart) {
  if (text.length > most.letters) return null;
  if (!entries) {
    const own = sentences.map(entry);
    entries = { sentences: own, all: [...own, ...parts.map(entry)] };
  }
  const one = reader()(text, isPart, most.depth);
  if (!one || (one.weight < least && !isPart)) return null;
  // A sentence begins with a capital letter, where it does not begin with a name.
  return isPart || !one.isOwn ? one.german : one.german[0].toUpperCase() + one.german.slice(1);
}
