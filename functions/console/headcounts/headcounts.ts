import { computed, effect, signal } from "@preact/signals";
import { config } from "../api/config.ts";
import { fetchHeadcounts, type Headcount } from "../api/headcounts.ts";
import { SessionEnded } from "../api/problem.ts";
import { mayReadRealtime, onSignOut, session } from "../session/session.ts";

/** The newest headcounts by the id of their map. */
export const headcounts = signal<ReadonlyMap<string, Headcount>>(new Map());

/** Why the last reading failed; undefined if it did not. */
export const headcountsFault = signal<unknown>(undefined);

/** The pages that show headcounts: nothing is read while there are none. */
const readers = signal(0);

/** A map that was just switched on has its number within seconds: until then it is asked for more often. */
const SOON_MS = 1000;
const SOON_TRIES = 15;
const awaited = new Map<string, number>();

let timer: ReturnType<typeof setTimeout> | undefined;
let lastRead = 0;

onSignOut(() => {
  headcounts.value = new Map();
  awaited.clear();
});

const isReading = computed(() => readers.value > 0 && session.value !== undefined && mayReadRealtime.value);
effect(() => {
  if (isReading.value) void next();
  else clearTimeout(timer);
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) clearTimeout(timer);
  else if (isReading.peek()) void next();
});

// On the network again: a tick may be minutes away.
addEventListener("online", () => {
  if (headcountsFault.peek() !== undefined && isReading.peek()) void read();
});

/** Keeps the headcounts fresh until the returned function is called. */
export function readHeadcounts(): () => void {
  readers.value++;
  return () => {
    readers.value--;
  };
}

/** Reads soon and again until a map has a headcount, because it was just switched on or changed. */
export function awaitHeadcount(mapId: string): void {
  const kept = new Map(headcounts.value);
  kept.delete(mapId);
  headcounts.value = kept;
  awaited.set(mapId, SOON_TRIES);
  clearTimeout(timer);
  timer = setTimeout(() => void read(), SOON_MS);
}

/** Whether a map's first headcount is on its way. */
export function isAwaited(mapId: string): boolean {
  return awaited.has(mapId);
}

async function next(): Promise<void> {
  const { tick_seconds } = await config();
  // Last, so that of two calls at the same time only one reads.
  clearTimeout(timer);
  if (document.hidden || !isReading.peek()) return;
  const wait = awaited.size > 0 ? SOON_MS : tick_seconds * 1000;
  timer = setTimeout(() => void read(), Math.max(0, lastRead + wait - Date.now()));
}

async function read(): Promise<void> {
  lastRead = Date.now();
  try {
    const rows = await fetchHeadcounts();
    for (const [id, tries] of awaited) {
      if (tries <= 1 || rows.some(({ target_id, result }) => target_id === id && result !== "NO_DATA")) awaited.delete(id);
      else awaited.set(id, tries - 1);
    }
    headcounts.value = new Map(rows.map((row) => [row.target_id, row]));
    headcountsFault.value = undefined;
  } catch (error) {
    if (!(error instanceof SessionEnded)) headcountsFault.value = error;
  }
  void next();
}
