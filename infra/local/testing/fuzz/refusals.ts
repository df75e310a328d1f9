import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import type { Finding, Outcome, Say } from "./finding.ts";
import type { Sketch } from "./requests/sketch.ts";
import { type Sender, wireRequest } from "./sender.ts";
import { differences, openStored, type Stored } from "./stored.ts";
import type { Target } from "./target.ts";
import { curlOf, send } from "./wire.ts";

const TOGETHER = 40;
const AT_ONCE = 4;
const FINDINGS_MAX = 3;

/** The store of a sender: what it held last, and how it is looked at. */
interface Watched {
  readonly target: Target;
  readonly sender: Sender;
  readonly look: () => Promise<Stored>;
}

/**
 * Sends all requests that were refused once more, while their senders do nothing else, and looks whether anything of the senders is stored, changed
 * or gone. Those that are accepted this time, since something else came between, are sent alone, so that they hide nothing of their neighbours.
 */
export async function checkRefusals(target: Target, refused: ReadonlyMap<Sender, readonly Sketch[]>, say: Say): Promise<Outcome> {
  const stored = openStored(target);
  const findings: Finding[] = [];
  let replayed = 0;
  let accepted = 0;
  try {
    for (const [sender, sketches] of refused) {
      const watched: Watched = { target, sender, look: () => stored.dump(sender.customer.uid) };
      await settled(target, sender);
      let before = await watched.look();
      for (let first = 0; first < sketches.length && findings.length < FINDINGS_MAX; first += TOGETHER) {
        const group = sketches.slice(first, first + TOGETHER);
        const told = await repeat(watched, group);
        replayed += group.length;
        accepted += told;
        // An accepted one may still be at work.
        if (told > 0) await settled(target, sender);
        const after = await watched.look();
        if (told > 0 || differences(before, after).length > 0) findings.push(...(await oneByOne(watched, group)));
        before = told > 0 ? await watched.look() : after;
      }
      say(`fuzz: ${replayed} refused requests sent again, ${findings.length} findings`);
    }
  } finally {
    await stored.close();
  }
  return { counts: { "refused requests sent again": replayed, "of these accepted now": accepted }, findings };
}

/** Sends a group again, some at once; gives how many were accepted. */
async function repeat({ target, sender }: Watched, group: readonly Sketch[]): Promise<number> {
  const waiting = group.values();
  let accepted = 0;
  const worker = async (): Promise<void> => {
    for (const sketch of waiting) {
      const { status } = await send(wireRequest(sketch, sender, target));
      if (isWriting(sketch) && status >= 200 && status < 300) accepted += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return accepted;
}

function isWriting({ method }: Sketch): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** The same group, each alone between two looks: whose refusal left something behind. */
async function oneByOne(watched: Watched, group: readonly Sketch[]): Promise<Finding[]> {
  const { target, sender } = watched;
  const findings: Finding[] = [];
  let before = await watched.look();
  for (const sketch of group) {
    const sent = wireRequest(sketch, sender, target);
    const { status } = await send(sent);
    if (status >= 200 && status < 300) await settled(target, sender);
    const after = await watched.look();
    const changes = differences(before, after);
    if (status >= 400 && changes.length > 0)
      findings.push({ what: [`a request that was refused with ${status} left something behind`, ...changes], reproduction: curlOf(sent) });
    before = after;
  }
  return findings;
}

const Jobs = v.object({ jobs: v.array(v.object({ status: v.string() })) });
const SETTLE_MS_MAX = 120_000;
const POLL_MS = 20;

/** Waits until none of a sender's jobs is at work: they change documents by themselves. */
async function settled({ ready }: Target, { customer }: Sender): Promise<void> {
  const until = Date.now() + SETTLE_MS_MAX;
  const unfinished = async (status: string): Promise<number> => {
    const url = `${ready.data_base_url}/data-agg/jobs?limit=1&status=${status}`;
    const answer: unknown = await (await fetch(url, { headers: { "x-api-key": customer.key } })).json();
    const page = v.safeParse(Jobs, answer);
    // Too many requests at a time: ask again.
    return page.success ? page.output.jobs.length : 1;
  };
  while ((await unfinished("queued")) + (await unfinished("running")) > 0) {
    if (Date.now() > until) throw new Error(`The jobs of ${customer.uid} do not end`);
    await delay(POLL_MS);
  }
}
