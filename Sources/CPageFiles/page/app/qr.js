// A pairing code as a QR code (ISO/IEC 18004): version 1 with 21 × 21 modules and error correction M, which holds 20 letters,
// digits and dashes. A code has 19.

import { h } from "./dom.js";

const size = 21;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
const dataCount = 16;
const correctionCount = 10;

// The picture; null where the text does not fit.
export function codePicture(text, label) {
  const modules = matrix(text.toUpperCase());
  if (!modules) return null;
  let path = "";
  modules.forEach((row, y) => row.forEach((isDark, x) => { if (isDark) path += `M${x + 4} ${y + 4}h1v1h-1z`; }));
  // Four modules around it stay light.
  return h("svg", { class: "qr", viewBox: `0 0 ${size + 8} ${size + 8}`, role: "img", "aria-label": label },
    h("rect", { width: size + 8, height: size + 8, fill: "#fff" }), h("path", { d: path, fill: "#000", "shape-rendering": "crispEdges" }));
}

export function matrix(text) {
  const data = codewords(text);
  if (!data) return null;
  let best = null;
  for (let mask = 0; mask < 8; mask += 1) {
    const modules = draw([...data, ...correction(data)], mask);
    const penalty = penaltyOf(modules);
    if (!best || penalty < best.penalty) best = { penalty, modules };
  }
  return best.modules;
}

// The data: mode, length, pairs of characters in 11 bits, then padding.
export function codewords(text) {
  const values = Array.from(text, (character) => alphabet.indexOf(character));
  if (values.includes(-1)) return null;
  let bits = "0010" + values.length.toString(2).padStart(9, "0");
  for (let index = 0; index < values.length; index += 2) {
    bits += index + 1 < values.length
      ? (values[index] * 45 + values[index + 1]).toString(2).padStart(11, "0")
      : values[index].toString(2).padStart(6, "0");
  }
  if (bits.length > dataCount * 8) return null;
  bits = bits.padEnd(Math.min(dataCount * 8, bits.length + 4), "0");
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, "0");
  const data = bits.match(/.{8}/g).map((byte) => parseInt(byte, 2));
  for (let pad = 0xec; data.length < dataCount; pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

function multiply(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0);
    if ((other >> bit) & 1) product ^= one;
  }
  return product & 0xff;
}

// The Reed–Solomon code of the data over GF(256).
export function correction(data) {
  let generator = [1];
  for (let index = 0, root = 1; index < correctionCount; index += 1, root = multiply(root, 2)) {
    const next = [...generator, 0];
    generator.forEach((factor, place) => { next[place + 1] ^= multiply(factor, root); });
    generator = next;
  }
  const rest = [...data, ...new Array(correctionCount).fill(0)];
  for (let place = 0; place < data.length; place += 1) {
    const factor = rest[place];
    generator.forEach((part, index) => { rest[place + index] ^= multiply(part, factor); });
  }
  return rest.slice(data.length);
}

const masks = [
  (x, y) => (x + y) % 2 === 0, (x, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

// Error correction M and the mask, with a BCH code.
export function formatBits(mask) {
  let rest = mask << 10;
  for (let bit = 14; bit >= 10; bit -= 1) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10);
  return ((mask << 10) | rest) ^ 0x5412;
}

function draw(bytes, mask) {
  const modules = Array.from({ length: size }, () => new Array(size).fill(null));
  for (const [left, top] of [[0, 0], [size - 7, 0], [0, size - 7]]) finder(modules, left, top);
  for (let index = 8; index < size - 8; index += 1) modules[6][index] = modules[index][6] = index % 2 === 0;
  modules[size - 8][8] = true;
  const bits = formatBits(mask);
  for (let index = 0; index < 15; index += 1) {
    const isDark = ((bits >> index) & 1) === 1;
    // Once around the upper left finder, and once shared by the two others.
    if (index < 6) modules[index][8] = isDark;
    else if (index < 8) modules[index + 1][8] = isDark;
    else if (index === 8) modules[8][7] = isDark;
    else modules[8][14 - index] = isDark;
    if (index < 8) modules[8][size - 1 - index] = isDark;
    else modules[size - 15 + index][8] = isDark;
  }
  let number = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const isUpward = ((right + 1) & 2) === 0;
      const y = isUpward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (modules[y][x] !== null) continue;
        const bit = number < bytes.length * 8 ? (bytes[number >> 3] >> (7 - (number & 7))) & 1 : 0;
        modules[y][x] = (bit === 1) !== masks[mask](x, y);
        number += 1;
      }
    }
  }
  return modules;
}

function finder(modules, left, top) {
  for (let y = -1; y <= 7; y += 1) {
    for (let x = -1; x <= 7; x += 1) {
      if (!modules[top + y] || modules[top + y][left + x] === undefined) continue;
      const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
      modules[top + y][left + x] = ring !== 2 && ring !== 4;
    }
  }
}

// How hard it is to read: runs, squares of one colour, and more dark than light.
function penaltyOf(modules) {
  let penalty = 0;
  let dark = 0;
  for (let y = 0; y < size; y += 1) {
    let [row, column] = [0, 0];
    for (let x = 0; x < size; x += 1) {
      if (modules[y][x]) dark += 1;
      row = x > 0 && modules[y][x] === modules[y][x - 1] ? row + 1 : 1;
      column = x > 0 && modules[x][y] === modules[x - 1][y] ? column + 1 : 1;
      for (const run of [row, column]) penalty += run === 5 ? 3 : run > 5 ? 1 : 0;
      if (x > 0 && y > 0) {
        const square = [modules[y][x - 1], modules[y - 1][x], modules[y - 1][x - 1]];
        if (square.every((module) => module === modules[y][x])) penalty += 3;
      }
    }
  }
  return penalty + Math.floor(Math.abs((dark * 100) / (size * size) - 50) / 5) * 10;
}
