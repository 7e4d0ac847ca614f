// The agent's sentences in the language of the page. The agent says them in English; what puts them into German is loaded for a
// German page alone. Until it is there, and where it does not know a sentence, that stays English.

import { clean } from "./format.js";
import { changed } from "./state.js";
import { language, t } from "./words.js";

let german = null;
let loading = null;

// Loads what the language needs, once, and has the page drawn again then. Where that fails, the next drawing tries again.
export async function prepare() {
  if (language !== "de") return;
  await (loading ??= import("./translate.js").then((module) => { german = module.german; changed(); }, () => { loading = null; }));
}

// A sentence as it is shown, and its language. isPart: it may also be a part of one, such as "earned 5".
export function translated(text, { limit = 1000, isPart = false } = {}) {
  // This one is the page's own.
  if (text === t("linkLost")) return { text, lang: language };
  const own = language === "de" ? german?.(text, isPart) : null;
  return { text: clean(own ?? text, limit), lang: own ? "de" : "en" };
}
