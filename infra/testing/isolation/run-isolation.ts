import type { Finding, Outcome, Say } from "../fuzz/finding.ts";
import { dayBefore } from "../fuzz/requests/words.ts";
import { isFunctionsProcessAlive, type Target } from "../fuzz/target.ts";
import { curlOf, send } from "../fuzz/wire.ts";
import { chanceOf } from "../reference/chance.ts";
import { searchDocuments, searchFiles, searchLog, searchRows } from "./afterwards.ts";
import { checkBelongings } from "./belongings.ts";
import type { Move, Turn } from "./move.ts";
import { makeParties } from "./parties.ts";
import { foreignRows, leaksIn } from "./party.ts";
import type { FireTick } from "./ticks.ts";
import { drawMove } from "./turns.ts";
import { detailsOfUnknown } from "./unknown.ts";

/** The extent and seed of a run. */
export interface IsolationOptions {
  readonly requests: number;
  readonly seed: number;
  /** The newest day of the sample data. */
  readonly today: Date;
  readonly fireTick: FireTick;
  readonly say: Say;
}

/** How many requests are sent at once: only concurrent requests show that a process confuses two callers. */
const TOGETHER = 8;
const TICK_EVERY = 200;
const FINDINGS_MAX = 10;

/**
 * Makes two customers, one uid a prefix of the other, send seeded random requests with their own and each other's ids. Searches every
 * response, then all files, documents, rows and log lines, for the other party's data.
 */
export async function runIsolation(target: Target, { requests, seed, today, fireTick, say }: IsolationOptions): Promise<Outcome> {
  const chance = chanceOf(seed);
  const [one, ten] = await makeParties(target, today);
  let made = 0;
  const common = {
    target,
    chance,
    day: { start_time: dayBefore({ today, geoIds: {} }, 5), end_time: dayBefore({ today, geoIds: {} }, 4) },
    serial: () => ++made,
  };
  const unknown = await detailsOfUnknown({ target, me: one });
  const turns: readonly Turn[] = [
    { ...common, unknown, me: one, other: ten },
    { ...common, unknown, me: ten, other: one },
  ];
  const kinds = new Map<string, number>();
  const findings: Finding[] = [];
  for (let sent = 0; sent < requests && findings.length < FINDINGS_MAX; sent += TOGETHER) {
    const group = drawGroup(turns, Math.min(TOGETHER, requests - sent));
    const judged = await Promise.all(group.map(([turn, move]) => make(turn, move)));
    findings.push(...judged.flat());
    for (const [, { what }] of group) kinds.set(what, (kinds.get(what) ?? 0) + 1);
    if (Math.floor(sent / TICK_EVERY) !== Math.floor((sent + TOGETHER) / TICK_EVERY)) {
      await fireTick();
      say(`isolation: ${Math.min(requests, sent + TOGETHER)} of ${requests} requests, ${findings.length} findings`);
    }
  }
  await fireTick();
  const pairs = [
    [one, ten],
    [ten, one],
  ] as const;
  const belongings = [await checkBelongings(target, one), await checkBelongings(target, ten)];
  const searched = [
    await searchFiles(target, pairs),
    await searchDocuments(target, pairs),
    await searchRows(target, pairs),
    await searchLog(target, [one, ten], belongings.at(-1)?.lastRequestId ?? ""),
  ];
  const ended = isFunctionsProcessAlive(target) ? [] : [{ what: ["the functions' process has ended"], reproduction: `--seed ${seed}` }];
  const all = [...findings, ...belongings.flatMap((one) => one.findings), ...searched.flatMap((one) => one.findings), ...ended];
  const counts = Object.fromEntries([...kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { counts: { ...counts, ...Object.assign({}, ...searched.map((one) => one.counts)) }, findings: all.slice(0, FINDINGS_MAX) };
}

/** Draws moves of both parties in turn. No two of them change the same thing. */
function drawGroup(turns: readonly Turn[], size: number): (readonly [Turn, Move])[] {
  const changed = new Set<string>();
  const group: (readonly [Turn, Move])[] = [];
  while (group.length < size) {
    const turn = turns[group.length % turns.length];
    if (!turn) break;
    const move = drawMove(turn, turn.chance);
    const change = move.changes === undefined ? undefined : `${turn.me.customer.uid} ${move.changes}`;
    if (change !== undefined && changed.has(change)) continue;
    if (change !== undefined) changed.add(change);
    group.push([turn, move]);
  }
  return group;
}

/** Makes a move: sends its request, records the result, and searches the response. */
async function make({ other }: Turn, { what, request, judge }: Move): Promise<Finding[]> {
  const answer = await send(request);
  const sent = `${request.target} ${decoded(request.target)} ${request.body?.toString("utf8") ?? ""} ${request.headers.flat().join(" ")}`;
  const received = `${answer.text} ${JSON.stringify(answer.headers)}`;
  const faults = [...judge(answer), ...leaksIn(received, sent, other), ...foreignRows(answer.text, other)];
  return faults.length === 0 ? [] : [{ what: [what, ...faults], reproduction: curlOf(request) }];
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return "";
  }
}
