import fc from "fast-check";
import { answerFaults } from "./answer-faults.ts";
import type { Finding, Outcome, Say } from "./finding.ts";
import { readKnowledge } from "./knowledge.ts";
import { type Operation, operationAt, readOperations } from "./openapi.ts";
import { checkRefusals } from "./refusals.ts";
import { anyRequest } from "./requests/any.ts";
import type { Sketch } from "./requests/sketch.ts";
import { newSender, remember, type Sender, wireRequest } from "./sender.ts";
import { createTriedCustomer, isFunctionsProcessAlive, type Target } from "./target.ts";
import { curlOf, send } from "./wire.ts";

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** The requests' times lie around this day: the one of the sample data. */
  readonly today: Date;
  /** The functions that must be in the documents, and of which each must accept a request. */
  readonly functionNames: readonly string[];
  readonly say: Say;
}

const LANES = 4;
const CHUNK = 250;
const FINDINGS_MAX = 5;
/** Begins all uids: the run's own seed follows, so that two runs in one service do not meet. */
const UID = "fuzzed";

/** Sends requests made from the documents, looks at every answer, then at what the refused ones left behind. */
export async function runFuzz(target: Target, { requests, seed, today, functionNames, say }: FuzzOptions): Promise<Outcome> {
  const operations = await readOperations(target.ready);
  const senders: Sender[] = [];
  for (let lane = 0; lane < LANES; lane++)
    senders.push(newSender(await createTriedCustomer(target, `${UID}${seed}x${lane}`, "fuzz-admin")));
  const [first] = senders;
  if (!first) throw new Error("There is nobody to send requests");
  const arbitrary = anyRequest(operations, await readKnowledge(target, first.customer, today));
  const run: Run = { target, operations, arbitrary, counts: new Map(), accepted: new Map(), refused: new Map(), findings: [] };
  for (let sent = 0, chunk = 0; sent < requests && run.findings.length < FINDINGS_MAX; sent += CHUNK, chunk++) {
    await sendChunk(run, senders, seed * 10_000 + chunk, Math.min(CHUNK, requests - sent));
    say(`fuzz: ${Math.min(requests, sent + CHUNK)} of ${requests} requests, ${run.findings.length} findings`);
  }
  const refusals = await checkRefusals(target, run.refused, say);
  const unheard = functionNames.filter((name) => !operations.some(({ operationId }) => operationId === name));
  const untouched = functionNames.filter((name) => !run.accepted.has(name) && !unheard.includes(name));
  const whole = [
    ...unheard.map((name) => ({ what: [`${name} is in no document`], reproduction: "GET /openapi.json" })),
    ...untouched.map((name) => ({
      what: [`no request to ${name} was accepted: this run says little of it`],
      reproduction: `--seed ${seed}`,
    })),
    ...(isFunctionsProcessAlive(target) ? [] : [{ what: ["the functions' process has ended"], reproduction: `--seed ${seed}` }]),
  ];
  const sortedCounts = Object.fromEntries([...run.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    counts: { ...sortedCounts, "accepted by functions": run.accepted.size, ...refusals.counts },
    findings: [...run.findings, ...refusals.findings, ...whole],
  };
}

interface Run {
  readonly target: Target;
  readonly operations: readonly Operation[];
  readonly arbitrary: fc.Arbitrary<Sketch>;
  readonly counts: Map<string, number>;
  readonly accepted: Map<string, number>;
  readonly refused: Map<Sender, Sketch[]>;
  readonly findings: Finding[];
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The requests of one seed, shared out among the senders, each of which sends one at a time. */
async function sendChunk(run: Run, senders: readonly Sender[], seed: number, length: number): Promise<void> {
  const sketches = fc.sample(run.arbitrary, { seed, numRuns: length });
  const lane = async (sender: Sender, number: number): Promise<void> => {
    for (const [index, sketch] of sketches.entries()) {
      if (index % senders.length !== number) continue;
      const faults = await ask(run, sender, sketch);
      if (faults.length > 0 && run.findings.length < FINDINGS_MAX)
        run.findings.push(await smallest(run, sender, faults, seed, index, sketch));
    }
  };
  await Promise.all(senders.map(lane));
}

/** Sends a sketch and gives what is wrong with the answer. */
async function ask(run: Run, sender: Sender, sketch: Sketch): Promise<string[]> {
  const sent = wireRequest(sketch, sender, run.target);
  const answer = await send(sent);
  remember(sender, answer);
  count(run.counts, sketch.kind);
  count(run.counts, `status ${answer.status || "none"}`);
  if (answer.status >= 200 && answer.status < 300) {
    const operation = operationAt(run.operations, sketch.api, sent.method, sent.target);
    if (operation) count(run.accepted, operation.operationId);
  } else if (answer.status >= 400 && answer.status < 500) {
    const list = run.refused.get(sender) ?? [];
    run.refused.set(sender, list);
    list.push(sketch);
  }
  return answerFaults(run.operations, sketch, sent, answer);
}

const SHRINK_MS_MAX = 20_000;

/** The smallest request near a faulty one that is answered as wrongly; the one itself when it was a matter of chance. */
async function smallest(run: Run, sender: Sender, faults: string[], seed: number, index: number, sketch: Sketch): Promise<Finding> {
  const property = fc.asyncProperty(run.arbitrary, async (candidate) => {
    const sent = wireRequest(candidate, sender, run.target);
    return answerFaults(run.operations, candidate, sent, await send(sent)).length === 0;
  });
  const found = await fc.check(property, { seed, path: String(index), numRuns: 1, interruptAfterTimeLimit: SHRINK_MS_MAX });
  const [least = sketch] = found.counterexample ?? [];
  return { what: faults, reproduction: curlOf(wireRequest(least, sender, run.target)) };
}
