// The numbers that a place of a save had, one after the other.

// The number of a JSON text; null where it is none, or too large to be drawn.
export function numberOf(json) {
  try {
    const read = JSON.parse(json);
    return typeof read === "number" && Number.isFinite(read) ? read : null;
  } catch {
    return null;
  }
}

// A point for each step that changed the place, the oldest first: when, the number and its text, and by which machines. The
// number is null where the place was left empty, or with something that is no number.
export function series(steps, place) {
  const points = [];
  for (const step of steps) {
    const change = step.changes.find((change) => change.place === place);
    if (!change) continue;
    const former = points.at(-1);
    const number = change.new === undefined ? null : numberOf(change.new);
    if (number === null && (former?.number ?? null) === null) continue;
    // A clock may have been set back; the order is that of the steps.
    points.push({ time: Math.max(step.time, former?.time ?? step.time), number, text: change.new, by: step.devices });
  }
  return points;
}

// At most so many of the points, with the first and the last one, and with every peak and valley that can be seen.
export function thinned(points, limit) {
  if (points.length <= limit) return points;
  const inner = points.slice(1, -1);
  const count = Math.floor((limit - 2) / 2);
  const kept = [points[0]];
  for (let part = 0; part < count; part += 1) {
    const some = inner
      .slice(Math.floor((part * inner.length) / count), Math.floor(((part + 1) * inner.length) / count))
      .filter((point) => point.number !== null);
    if (some.length === 0) continue;
    const { low, high } = bounds(some);
    kept.push(...(low === high ? [low] : some.filter((point) => point === low || point === high)));
  }
  return [...kept, points.at(-1)];
}

// The points with the smallest and the largest number. There has to be a number.
export function bounds(points) {
  const numbers = points.filter((point) => point.number !== null);
  return {
    low: numbers.reduce((low, point) => (point.number < low.number ? point : low)),
    high: numbers.reduce((high, point) => (point.number > high.number ? point : high)),
  };
}
