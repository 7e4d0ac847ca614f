// What a person who uses no mouse, sees little, or hears the page, needs of what is shown now. The value of this script is a
// list of findings, each in a few words.
(() => {
  const found = [];
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  // What is not drawn, also within a closed part or a closed dialog, is not there for anybody.
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isSpoken = (element) => !element.closest("[aria-hidden=true]");
  const shortly = (element) => element.outerHTML.slice(0, 120);
  const textOf = (id) => document.getElementById(id)?.textContent.trim();
  // An open dialog is all that there is.
  const root = document.querySelector("dialog[open]") ?? document.body;

  // MARK: The document

  if (!/^[a-z]{2}$/.test(document.documentElement.lang)) found.push("no language");
  if (!document.title.trim()) found.push("no title");
  if (/user-scalable|maximum-scale/.test(document.querySelector("meta[name=viewport]").content)) found.push("it cannot be made larger");
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`wider than the window: ${scrollWidth} of ${clientWidth}`);
  const ids = all("[id]").map((element) => element.id);
  for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push("id twice: " + id);

  // MARK: Landmarks and headings

  for (const landmark of ["main", "body > header", "nav", "body > footer"]) {
    if (all(landmark).length !== 1) found.push("landmark " + landmark);
  }
  for (const element of all("nav, section")) {
    if (isShown(element) && (!element.matches("[aria-label], [aria-labelledby]") || !nameOf(element))) found.push("a part of the page without a name: " + shortly(element));
  }
  // Everything that is said stands in a landmark, in a message that is spoken by itself, or is the way to the content.
  for (const node of texts(document.body)) {
    if (!node.parentElement.closest("main, header, nav, footer, dialog, [role=status], [role=alert], #skip")) {
      found.push("outside of every landmark: " + node.nodeValue.slice(0, 40));
    }
  }
  // Somebody who goes from part to part hears their names alone.
  const parts = all("nav, section", root).filter(isShown).map((element) => element.nodeName + " " + nameOf(element));
  for (const part of new Set(parts)) if (parts.indexOf(part) !== parts.lastIndexOf(part)) found.push("two parts of one name: " + part);
  const levels = all("h1, h2, h3, h4, h5, h6", root).filter(isShown).map((heading) => Number(heading.nodeName[1]));
  if (root === document.body && levels.filter((level) => level === 1).length !== 1) found.push("not one h1");
  levels.forEach((level, index) => {
    if (index > 0 && level > levels[index - 1] + 1) found.push(`a heading of level ${level} after one of level ${levels[index - 1]}`);
  });
  for (const heading of all("h1, h2, h3, h4, h5, h6", root)) {
    if (isShown(heading) && !heading.textContent.trim()) found.push("an empty heading");
  }

  // MARK: Names

  function nameOf(element) {
    const by = element.getAttribute("aria-labelledby");
    if (by) return by.split(" ").map(textOf).filter(Boolean).join(" ");
    return (element.getAttribute("aria-label") ?? (element.labels?.length ? element.labels[0].textContent : element.textContent)).trim();
  }

  const controls = all("button, a, input, select, textarea, summary, [role=button], [role=link]", root).filter(isShown);
  for (const element of controls) {
    if (!nameOf(element)) found.push("no name: " + shortly(element));
    if (element.matches("input, select, textarea") && !element.labels.length && !element.hasAttribute("aria-label")) {
      found.push("no label: " + shortly(element));
    }
    if (element.matches("a") && !element.hasAttribute("href")) found.push("a link to nowhere: " + shortly(element));
    if (element.tabIndex < 0 && !element.disabled) found.push("no key reaches it: " + shortly(element));
    if (element.labels?.length > 1) found.push("labels that contradict each other: " + shortly(element));
    if (element.querySelector("a, button, input, select, textarea, summary")) found.push("a control within a control: " + shortly(element));
    if (element.hasAttribute("accesskey")) found.push("a key of its own, which may be one of the browser's: " + shortly(element));
    if (element.tabIndex > 0) found.push("it pushes itself forward: " + shortly(element));
    if (!isSpoken(element)) found.push("a control that is not spoken: " + shortly(element));
    const { width, height } = element.getBoundingClientRect();
    // A word in a sentence is as large as the sentence.
    if (!element.matches("p a, li > a, summary") && (width < 24 || height < 24)) {
      found.push(`${Math.round(width)} × ${Math.round(height)} is too small to hit: ${shortly(element)}`);
    }
    // What is seen on a button is what people call it by.
    const seen = element.textContent.trim();
    if (element.matches("button[aria-label]") && !element.getAttribute("aria-label").includes(seen)) {
      found.push(`it is called otherwise than it reads: ${shortly(element)}`);
    }
  }
  for (const element of all("[aria-labelledby], [aria-describedby]", root)) {
    if (!isShown(element)) continue;
    for (const attribute of ["aria-labelledby", "aria-describedby"]) {
      for (const id of element.getAttribute(attribute)?.split(" ") ?? []) {
        if (!textOf(id)) found.push(`${attribute} is of nothing: ${id}`);
      }
    }
  }

  // MARK: Pictures, lists and tables

  for (const picture of all("img, svg", root)) {
    if (!isShown(picture) || !isSpoken(picture)) continue;
    const words = picture.nodeName === "IMG" ? picture.getAttribute("alt") : picture.getAttribute("role") === "img" && nameOf(picture);
    if (!words) found.push("a picture without words: " + shortly(picture));
  }
  for (const list of all("ul, ol", root)) {
    for (const child of list.children) if (child.nodeName !== "LI") found.push("no item of its list: " + shortly(child));
  }
  for (const item of all("li", root)) if (!item.parentElement.matches("ul, ol")) found.push("an item of no list: " + shortly(item));
  for (const field of all("[autocomplete]", root)) if (field.autocomplete !== "off") found.push("autocomplete: " + shortly(field));
  for (const cell of all("th", root)) if (!cell.scope || !cell.textContent.trim()) found.push("a heading of no row or column: " + shortly(cell));
  for (const table of all("table", root)) if (isShown(table) && !table.querySelector("thead th")) found.push("a table without headings");

  for (const list of all("dl", root)) {
    for (const child of list.children) if (!child.matches("div, dt, dd")) found.push("no term of its list: " + shortly(child));
  }
  for (const term of all("dt, dd", root)) if (!term.closest("dl")) found.push("a term of no list: " + shortly(term));

  // MARK: What is read, and how

  for (const element of all("[lang]")) if (!/^[a-z]{2}$/.test(element.lang)) found.push("unknown language: " + shortly(element));
  // A link among other words is told from them by more than its colour.
  for (const link of all("p a, li a", root)) {
    const others = link.closest("p, li").textContent.trim() !== link.textContent.trim();
    if (isShown(link) && others && !getComputedStyle(link).textDecorationLine.includes("underline")) found.push("a link like the words around it: " + shortly(link));
  }
  // Who has no mouse moves what is cut off by going into it.
  for (const element of all("*", root)) {
    const { overflowY, overflowX } = getComputedStyle(element);
    const isCut = (overflowY !== "visible" && overflowY !== "hidden" && overflowY !== "clip" && element.scrollHeight > element.clientHeight + 1)
      || (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1);
    if (isShown(element) && isCut && element.tabIndex < 0 && !element.querySelector("button, a, input, select, summary")) {
      found.push("no key moves what is cut off: " + shortly(element));
    }
  }

  // MARK: Words that ARIA knows

  const attributes = ["label", "labelledby", "describedby", "expanded", "hidden", "busy", "live", "current"].map((name) => "aria-" + name);
  for (const element of all("*")) {
    for (const name of element.getAttributeNames()) {
      if (name.startsWith("aria-") && !attributes.includes(name)) found.push(`${name} is not known: ${shortly(element)}`);
    }
  }
  // A name is heard on what has a role; on a mere text it is left out, or heard in place of the text.
  for (const element of all("p, div, span, strong, code, li, bdi, time")) {
    if (element.matches("[aria-label], [aria-labelledby]") && !element.hasAttribute("role")) found.push("a name on what has no role: " + shortly(element));
  }
  for (const element of all("[aria-expanded]")) if (!element.matches("button")) found.push("nothing to unfold: " + shortly(element));
  const roles = ["status", "alert", "img", "dialog"];
  for (const element of all("[role]")) if (!roles.includes(element.getAttribute("role"))) found.push("unknown role: " + shortly(element));
  for (const [attribute, values] of [["aria-expanded", ["true", "false"]], ["aria-hidden", ["true"]], ["aria-busy", ["true"]], ["aria-live", ["polite"]], ["aria-current", ["page"]]]) {
    for (const element of all(`[${attribute}]`)) if (!values.includes(element.getAttribute(attribute))) found.push(`${attribute}: ${shortly(element)}`);
  }

  // MARK: Contrast

  const colors = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  // Red, green, blue and how far it covers, each from 0 to 1, of whatever way to write a colour.
  function color(text) {
    colors.clearRect(0, 0, 1, 1);
    colors.fillStyle = text;
    colors.fillRect(0, 0, 1, 1);
    return Array.from(colors.getImageData(0, 0, 1, 1).data, (part) => part / 255);
  }

  const over = ([r, g, b, a], [r2, g2, b2]) => [r * a + r2 * (1 - a), g * a + g2 * (1 - a), b * a + b2 * (1 - a), 1];

  function ground(element) {
    const layers = [];
    for (let node = element; node; node = node.parentElement) layers.push(color(getComputedStyle(node).backgroundColor));
    return layers.reduceRight((below, layer) => over(layer, below), color(matchMedia("(prefers-color-scheme: dark)").matches ? "#000" : "#fff"));
  }

  function light([r, g, b]) {
    const [x, y, z] = [r, g, b].map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  }

  function contrast(one, other) {
    const [less, more] = [light(one), light(other)].sort((a, b) => a - b);
    return (more + 0.05) / (less + 0.05);
  }

  // The least of it is 4.5 for words, and 3 for what shows where a control is (WCAG 2.2, AA).
  function look(what, text, element, least) {
    const below = ground(element);
    const value = contrast(over(color(text), below), below);
    if (value < least) found.push(`contrast ${value.toFixed(2)} of ${what}: ${shortly(element)}`);
  }

  function texts(parent) {
    const walker = document.createTreeWalker(parent, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) {
      const { currentNode: node } = walker;
      if (node.nodeValue.trim() && !node.parentElement.closest("noscript, script, option") && isShown(node.parentElement)) nodes.push(node);
    }
    return nodes;
  }

  const isWaiting = (element) => element.closest("[disabled], [aria-busy=true]");
  for (const element of new Set(texts(root).map((node) => node.parentElement))) {
    if (isWaiting(element)) continue;
    const style = getComputedStyle(element);
    look("a text", element.closest("svg") ? style.fill : style.color, element, 4.5);
  }
  for (const element of controls) {
    if (isWaiting(element)) continue;
    if (element.matches("input, select, textarea")) look("a typed text", getComputedStyle(element).color, element, 4.5);
    if (element.placeholder) look("a placeholder", getComputedStyle(element, "::placeholder").color, element, 4.5);
    if (element.matches("input:not([type=checkbox], [type=file]), select")) look("a frame", getComputedStyle(element).borderTopColor, element.parentElement, 3);
  }
  return found;
})()
