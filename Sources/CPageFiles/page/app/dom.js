// Making and updating elements. Whatever comes from a save, a device or the agent becomes the text of a text node; nothing
// is ever made from markup, and the server's policy has the browser refuse that as well (trusted types).

const svgNames = new Set(["svg", "path", "g", "rect", "circle", "text", "title", "desc"]);
const handlers = ["onclick", "onsubmit", "oninput", "onchange", "onkeydown", "ondragover", "ondragleave", "ondrop"];

// Makes an element: h("p", {class: "faint", onclick: …}, "text", otherElement, [more]). A member that is null, undefined or
// false is left out; true is an attribute without a value.
export function h(name, members = {}, ...children) {
  const element = svgNames.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(members)) {
    if (value === null || value === undefined || value === false) continue;
    if (handlers.includes(key)) element[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  add(element, children);
  return element;
}

function add(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

// Makes the children of an element those of the list, and keeps what is of the same kind: so a focus, a selection, an opened
// part and a half typed word stay.
//
// Children are compared in order. What is there only at times, without a data-key, stands last, or in an element of its own:
// else all behind it is made anew when it goes.
export function show(parent, ...children) {
  const wanted = document.createElement("div");
  add(wanted, children);
  patchChildren(parent, wanted);
}

function keyOf(node) {
  return node.nodeType === 1 ? node.getAttribute("data-key") : null;
}

function isSameKind(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && keyOf(one) === keyOf(other);
}

function patchChildren(present, wanted) {
  // What is gone goes first, so that nothing that stays has to be moved over it: moving takes the focus away.
  const keys = new Set(Array.from(wanted.childNodes, keyOf));
  for (const node of Array.from(present.childNodes)) if (!keys.has(keyOf(node))) node.remove();
  let here = present.firstChild;
  for (const next of Array.from(wanted.childNodes)) {
    let match = here;
    if (!match || !isSameKind(match, next)) {
      match = keyOf(next) === null ? null : find(here, next);
    }
    if (match) {
      if (match !== here) present.insertBefore(match, here);
      else here = here.nextSibling;
      patch(match, next);
    } else {
      present.insertBefore(next, here);
    }
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

function find(start, wanted) {
  for (let node = start; node; node = node.nextSibling) if (isSameKind(node, wanted)) return node;
  return null;
}

// What is not of the drawing, once an element is there: what the reader opened, and that a button waits.
function isOwn(present, name) {
  return name === "aria-busy" || (name === "open" && present.nodeName === "DETAILS");
}

function patch(present, wanted) {
  if (present.nodeType !== 1) {
    if (present.nodeValue !== wanted.nodeValue) present.nodeValue = wanted.nodeValue;
    return;
  }
  for (const { name } of Array.from(present.attributes)) {
    if (!wanted.hasAttribute(name) && !isOwn(present, name)) present.removeAttribute(name);
  }
  for (const { name, value } of Array.from(wanted.attributes)) {
    if (present.getAttribute(name) !== value && !isOwn(present, name)) present.setAttribute(name, value);
  }
  for (const name of handlers) present[name] = wanted[name];
  patchChildren(present, wanted);
}
