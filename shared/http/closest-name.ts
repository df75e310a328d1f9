const DISTANCE_MAX = 2;

/**
 * The known name that was probably meant: at most two letters added, left out or exchanged, and fewer than half of it, or the same name cut
 * short or drawn out. Undefined when there is none.
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

/** Whether one name begins with the whole other one, as `latitude` with `lat`. */
function isOtherLength(name: string, candidate: string): boolean {
  const [short = "", long = ""] = [name.toLowerCase(), candidate].sort((a, b) => a.length - b.length);
  return short.length >= 3 && long.startsWith(short);
}

/** Levenshtein's distance, one row of its table at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const exchanged = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(exchanged, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
