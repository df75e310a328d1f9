import fc from "fast-check";
import { answerFaults } from "./answer-faults.ts";
import type { Finding, Outcome, Say } from "./finding.ts";
import { readKnowledge } from "./knowledge.ts";
import { type Operation, operationAt, readOperations } from "./openapi.ts";
import { checkRefusals, type Refused, type Trial } from "./refusals.ts";
import { anyRequest } from "./requests/any.ts";
import type { Sketch } from "./requests/sketch.ts";
import { newSender, remember, type Sender, wireRequest } from "./sender.ts";
import { createTriedCustomer, isFunctionsProcessAlive, type Target } from "./target.ts";
import { curlOf, send } from "./wire.ts";

/** The extent of a run. */
export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** The newest day of the sample data. */
  readonly today: Date;
  /** The functions that must be in the documents. Each must accept a request. */
  readonly functionNames: readonly string[];
  /** One in so many refused requests is checked for side effects. Default: each. */
  readonly lookAtEvery?: number;
  readonly say: Say;
}

const LANES = 4;
const CHUNK = 250;
/** How many kinds of findings a run reports before it ends. */
const KINDS_MAX = 10;
const BEGINNINGS_MAX = 8;

/** Sends requests generated from the documents, checks every response, then checks refused requests for side effects. */
export async function runFuzz(
  target: Target,
  { requests, seed, today, functionNames, lookAtEvery = 1, say }: FuzzOptions,
): Promise<Outcome> {
  const operations = await readOperations(target.ready);
  const lanes: Lane[] = [];
  for (let lane = 0; lane < LANES; lane++)
    lanes.push({ sender: await laneSender(target, `fuzzed${seed}x${lane}`, lane), beginnings: [], refused: [] });
  const knowledge = await readKnowledge(target, await createTriedCustomer(target, { uid: `fuzzed${seed}read`, keyLabel: "reader" }), today);
  const arbitrary = anyRequest(operations, knowledge);
  const run: Run = { target, operations, arbitrary, counts: new Map(), accepted: new Set(), kinds: new Set(), findings: [] };
  for (let sent = 0, chunk = 0; sent < requests && run.kinds.size < KINDS_MAX; sent += CHUNK, chunk++) {
    await sendChunk(run, lanes, seed * 10_000 + chunk, Math.min(CHUNK, requests - sent));
    say(`fuzz: ${Math.min(requests, sent + CHUNK)} of ${requests} requests, ${run.findings.length} findings`);
  }
  const trials: Trial[] = [];
  for (const [lane, { beginnings, refused }] of lanes.entries())
    trials.push({
      sender: await laneSender(target, `fuzzed${seed}y${lane}`, lane),
      beginnings,
      refused: refused.filter((_one, index) => index % lookAtEvery === 0),
    });
  const refusals = await checkRefusals(target, trials, say);
  const counts = Object.fromEntries([...run.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    counts: { ...counts, "functions that accepted some": run.accepted.size, ...refusals.counts },
    findings: [...run.findings, ...refusals.findings, ...findingsOfAll(run, functionNames, seed)],
  };
}

/** The first customer's jobs wait, so that there is always one to cancel. */
async function laneSender(target: Target, uid: string, lane: number): Promise<Sender> {
  return newSender(await createTriedCustomer(target, { uid, keyLabel: "fuzz-admin", isWaiting: lane === 0 }));
}

interface Lane {
  readonly sender: Sender;
  /** The first requests that created something. */
  readonly beginnings: Sketch[];
  readonly refused: Refused[];
}

interface Run {
  readonly target: Target;
  readonly operations: readonly Operation[];
  readonly arbitrary: fc.Arbitrary<Sketch>;
  readonly counts: Map<string, number>;
  /** The functions that accepted a request. */
  readonly accepted: Set<string>;
  readonly kinds: Set<string>;
  readonly findings: Finding[];
}

/** Returns what is wrong with the run as a whole. */
function findingsOfAll({ target, operations, accepted }: Run, functionNames: readonly string[], seed: number): Finding[] {
  const documented = new Set(operations.map(({ operationId }) => operationId));
  const missing = functionNames.filter((name) => !documented.has(name));
  const untried = functionNames.filter((name) => documented.has(name) && !accepted.has(name));
  const what = [
    ...missing.map((name) => `${name} is in no document`),
    ...untried.map((name) => `no request to ${name} was accepted: this run proves little about it`),
    ...(isFunctionsProcessAlive(target) ? [] : ["the functions' process has ended"]),
  ];
  return what.map((one) => ({ what: [one], reproduction: `--seed ${seed}` }));
}

/** Sends the requests of one seed, divided among the lanes. Each lane sends one at a time. */
async function sendChunk(run: Run, lanes: readonly Lane[], seed: number, length: number): Promise<void> {
  const sketches = fc.sample(run.arbitrary, { seed, numRuns: length });
  const work = async (lane: Lane, number: number): Promise<void> => {
    for (const [index, sketch] of sketches.entries()) {
      if (index % lanes.length !== number) continue;
      const faults = await ask(run, lane, sketch);
      if (faults.length > 0 && isNew(run, faults)) run.findings.push(await smallest(run, lane.sender, faults, seed, index, sketch));
    }
  };
  await Promise.all(lanes.map(work));
}

/** Sends a sketch and returns what is wrong with the response. */
async function ask(
  { target, operations, counts, accepted }: Run,
  { sender, beginnings, refused }: Lane,
  sketch: Sketch,
): Promise<string[]> {
  const sent = wireRequest(sketch, sender, target);
  const answer = await send(sent);
  const { status } = answer;
  remember(sender, answer);
  for (const name of [sketch.kind, `status ${status || "none"}`]) counts.set(name, (counts.get(name) ?? 0) + 1);
  const operation = status >= 200 && status < 300 ? operationAt(operations, sketch.api, sent.method, sent.target) : undefined;
  if (operation) accepted.add(operation.operationId);
  if ((status === 201 || status === 202) && sketch.method === "POST" && beginnings.length < BEGINNINGS_MAX) beginnings.push(sketch);
  if (status >= 400 && status < 500) refused.push({ sketch, status });
  return answerFaults(operations, sketch, sent, answer);
}

/** Returns whether faults are of a new kind: one finding of each kind is enough. */
function isNew({ kinds }: Run, faults: readonly string[]): boolean {
  const kind = faults.join().replaceAll(/\d+/g, "0").slice(0, 100);
  if (kinds.has(kind) || kinds.size >= KINDS_MAX) return false;
  kinds.add(kind);
  return true;
}

const SHRINK_MS_MAX = 20_000;

/** Shrinks a faulty request to the smallest one with the same fault. Returns the request itself if the fault does not recur. */
async function smallest(
  { target, operations, arbitrary }: Run,
  sender: Sender,
  faults: string[],
  seed: number,
  index: number,
  sketch: Sketch,
): Promise<Finding> {
  const property = fc.asyncProperty(arbitrary, async (candidate) => {
    const sent = wireRequest(candidate, sender, target);
    return answerFaults(operations, candidate, sent, await send(sent)).length === 0;
  });
  const found = await fc.check(property, { seed, path: String(index), numRuns: 1, interruptAfterTimeLimit: SHRINK_MS_MAX });
  const [least = sketch] = found.counterexample ?? [];
  return { what: faults, reproduction: curlOf(wireRequest(least, sender, target)) };
}
