import { once } from "node:events";
import { Worker } from "node:worker_threads";
import * as v from "valibot";
import { join, NOTHING, runSchedules, type Tally } from "../../infra/testing/simulation/run-schedules.ts";
import { SIMULATIONS, type Subject } from "../../infra/testing/simulation/simulations.ts";
import { Answer, type Chunk } from "./chunk.ts";

const CHUNK = 100;

interface Run {
  readonly subject: Subject;
  readonly seed: number;
  readonly schedules: number;
  readonly workers: number;
  /** Called after each chunk with the tally so far. */
  readonly onProgress: (tally: Tally) => void;
}

/**
 * Runs schedules in `workers` threads. Their number does not affect which seed fails first: chunks start in seed order, and all chunks
 * before a failed one run to the end.
 */
export async function runChunks({ subject, seed, schedules, workers, onProgress }: Run): Promise<Tally> {
  let tally = NOTHING;
  let first = seed;
  const take = (): Chunk | undefined => {
    const left = seed + schedules - first;
    if (tally.failure || left <= 0) return undefined;
    const chunk = { subject, first, schedules: Math.min(CHUNK, left) };
    first += chunk.schedules;
    return chunk;
  };
  const work = async (run: (chunk: Chunk) => Promise<Tally>): Promise<void> => {
    for (let chunk = take(); chunk; chunk = take()) {
      const done = await run(chunk);
      tally = join(tally, done);
      onProgress(tally);
    }
  };
  if (workers === 1) await work((chunk) => runSchedules(SIMULATIONS[subject], chunk.first, chunk.schedules));
  else await Promise.all(Array.from({ length: workers }, () => inThread(work)));
  return tally;
}

async function inThread(work: (run: (chunk: Chunk) => Promise<Tally>) => Promise<void>): Promise<void> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url));
  await work(async (chunk) => {
    worker.postMessage(chunk);
    const [answer] = await once(worker, "message");
    const { failure, ...tally } = v.parse(Answer, answer);
    return { ...tally, failure };
  });
  await worker.terminate();
}
