const DISTANCE_MAX = 2;

/**
 * Returns the known name that was probably meant: at most two letters added, omitted or replaced, and fewer than half of the name; or a
 * shortened or extended form of the same name. Undefined if there is none.
 */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = DISTANCE_MAX + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > DISTANCE_MAX) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance >= least || distance * 2 >= candidate.length) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest ?? [...known].find((candidate) => isOtherLength(name, candidate));
}

/** Whether one name begins the other, as `lat` does `latitude`, or is its last word, as `ids` is of `geo_ids`. */
function isOtherLength(name: string, candidate: string): boolean {
  const [short = "", long = ""] = [name.toLowerCase(), candidate].sort((a, b) => a.length - b.length);
  return (short.length >= 3 && long.startsWith(short)) || long.endsWith(`_${short}`);
}

/** Returns the Levenshtein distance, computed one row of its table at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
