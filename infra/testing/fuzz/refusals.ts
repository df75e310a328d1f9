import type { Finding, Outcome, Say } from "./finding.ts";
import type { Sketch } from "./requests/sketch.ts";
import { remember, type Sender, wireRequest } from "./sender.ts";
import { openSettle, type Settle } from "./settled.ts";
import { differences, openStored, type Stored } from "./stored.ts";
import type { Target } from "./target.ts";
import { curlOf, send } from "./wire.ts";

/** A request that was refused. */
export interface Refused {
  readonly sketch: Sketch;
  readonly status: number;
}

/** A customer that has done nothing yet, its initial state, and the requests that must be refused. */
export interface Trial {
  readonly sender: Sender;
  readonly beginnings: readonly Sketch[];
  readonly refused: readonly Refused[];
}

/** Statuses that do not depend on the customer's state: these requests are sent together. Others may be accepted now and are sent alone. */
const WHATEVER_IT_HAS = new Set([400, 401, 403, 405, 413, 415]);
const TOGETHER = 100;
const AT_ONCE = 4;
/** Of the requests to be sent alone, one in so many is sent. */
const ALONE_EVERY = 5;
const FINDINGS_MAX = 3;
const CURLS_MAX = 5;

/**
 * Sends refused requests again, from a new customer that does nothing else, and checks that no document of this customer, or of no
 * customer, is created, changed or deleted.
 */
export async function checkRefusals(target: Target, trials: readonly Trial[], say: Say): Promise<Outcome> {
  const stored = openStored(target);
  const settle = openSettle(target, stored.db);
  const findings: Finding[] = [];
  let looked = 0;
  let accepted = 0;
  try {
    for (const { sender, beginnings, refused } of trials) {
      for (const sketch of beginnings) remember(sender, await send(wireRequest(sketch, sender, target)));
      await settle(sender);
      const watched: Watched = { target, sender, settle, look: () => stored.dump(sender.customer.uid) };
      const always = refused.filter(({ status }) => WHATEVER_IT_HAS.has(status));
      const others = refused.filter(({ status }) => !WHATEVER_IT_HAS.has(status)).filter((_one, index) => index % ALONE_EVERY === 0);
      const groups = Array.from({ length: Math.ceil(always.length / TOGETHER) }, (_, index) =>
        always.slice(index * TOGETHER, (index + 1) * TOGETHER),
      );
      let before = await watched.look();
      for (const group of [...groups, ...others.map((one) => [one])]) {
        if (findings.length >= FINDINGS_MAX) break;
        const repeated = await repeat(watched, group, before);
        before = repeated.after;
        looked += group.length - repeated.accepted;
        accepted += repeated.accepted;
        findings.push(...repeated.findings);
      }
      say(`fuzz: ${looked} refused requests checked for side effects, ${findings.length} findings`);
    }
  } finally {
    await stored.close();
  }
  return { counts: { "refused requests checked for side effects": looked, "accepted this time": accepted }, findings };
}

interface Watched {
  readonly target: Target;
  readonly sender: Sender;
  readonly settle: Settle;
  readonly look: () => Promise<Stored>;
}

/**
 * Sends a group, some at once, between two dumps: that after the former group, and its own. A group with an accepted request proves nothing,
 * and the next one waits until what it began has ended.
 */
async function repeat(
  watched: Watched,
  group: readonly Refused[],
  before: Stored,
): Promise<{ accepted: number; findings: Finding[]; after: Stored }> {
  const { target, sender, settle, look } = watched;
  const waiting = group.values();
  let accepted = 0;
  const worker = async (): Promise<void> => {
    for (const { sketch } of waiting) {
      const { status } = await send(wireRequest(sketch, sender, target));
      if (status >= 200 && status < 300) accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (accepted > 0) {
    await settle(sender);
    return { accepted, findings: [], after: await look() };
  }
  const after = await look();
  const changes = differences(before, after);
  if (changes.length === 0) return { accepted, findings: [], after };
  return { accepted, findings: [await located(watched, group, changes)], after: await look() };
}

/** Finds the request of a group that has a side effect each time. Reports the whole group if it happened only the first time. */
async function located({ target, sender, look }: Watched, group: readonly Refused[], changes: readonly string[]): Promise<Finding> {
  const what = "a refused request had a side effect";
  const sent = group.map(({ sketch }) => wireRequest(sketch, sender, target));
  let before = await look();
  for (const request of sent) {
    await send(request);
    const after = await look();
    const own = differences(before, after);
    if (own.length > 0) return { what: [what, ...own], reproduction: curlOf(request) };
    before = after;
  }
  const curls = sent.slice(0, CURLS_MAX).map(curlOf);
  return { what: [`${what}, the first time: one of ${group.length}`, ...changes], reproduction: curls.join("\n  ") };
}
