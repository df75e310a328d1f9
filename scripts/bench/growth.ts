import { Firestore } from "@google-cloud/firestore";
import { growCustomers, growFacts, growJobs, growMaps } from "./growth-dimensions.ts";
import { BASE_DAYS, type Dimension, type GrowthBench, type Probe } from "./growth-probes.ts";
import { concurrently, report } from "./measure.ts";
import { averageOf, startMeteredService, type Used } from "./metered-service.ts";
import { openSender } from "./sender.ts";

const RATIO_MAX = 1.2;
/**
 * How often each probe is measured at a size, in turn with the others. The cheapest batch is compared: garbage collection and other processes only add,
 * for a second or two at a time, which would be all batches of a probe if they followed each other.
 */
const ROUNDS = 4;
const WIDTH = 4;
const QUIET_MS = 120;

/** What one request or job costs at a size, and the bytes of its answer. */
interface Cost {
  readonly operations: number;
  readonly billedBytes: number;
  readonly answerBytes: number;
  readonly cpuMs: number;
}

/**
 * Measures requests, jobs, sweeps and ticks while a customer's jobs, the customers, maps and the days of facts grow. What returns the same must
 * cost the same: documents, billed bytes, bytes of the answer and CPU of the functions.
 */
export async function benchGrowth(): Promise<void> {
  const metered = await startMeteredService(["--days", String(BASE_DAYS)]);
  const db = new Firestore({ projectId: metered.ready.project, host: metered.ready.firestore_host, ssl: false });
  try {
    const bench: GrowthBench = { metered, db, call: openSender(metered.ready) };
    for (const open of [growFacts, growMaps, growCustomers, growJobs]) await measureDimension(bench, await open(bench));
  } finally {
    await db.terminate();
    await metered.stop();
  }
}

async function measureDimension(bench: GrowthBench, { of, sizes, grow, probes }: Dimension): Promise<void> {
  const costs = new Map<string, Cost[]>(probes.map(({ what }) => [what, []]));
  for (const [index, size] of sizes.entries()) {
    console.error(`${of}: ${size} …`);
    await grow(size);
    await bench.metered.take(QUIET_MS);
    // The first requests of an endpoint in a process compile it.
    if (index === 0) for (let run = 0; run < 2; run++) await roundOf(bench, probes);
    const rounds: Cost[][] = [];
    while (rounds.length < ROUNDS) rounds.push(await roundOf(bench, probes));
    for (const [at, { what }] of probes.entries()) costs.get(what)?.push(cheapest(rounds.flatMap((round) => round.slice(at, at + 1))));
  }
  for (const probe of probes) reportProbe(of, sizes, probe, costs.get(probe.what) ?? []);
}

/** Returns the cost of each probe, measured one after the other. */
async function roundOf(bench: GrowthBench, probes: readonly Probe[]): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const probe of probes) costs.push(await costOf(bench, probe));
  return costs;
}

/** Returns what a probe has cost since the meters were read last. */
async function costOf({ metered }: GrowthBench, { times, run, width = WIDTH }: Probe): Promise<Cost> {
  let answerBytes = 0;
  await concurrently(times, width, async (index) => {
    answerBytes += await run(index);
  });
  const used: Used = averageOf([await metered.take(QUIET_MS)], times);
  return {
    operations: used.reads + used.writes,
    billedBytes: used.bytesBilled,
    answerBytes: answerBytes / times,
    cpuMs: used.cpuMs,
  };
}

/** Returns the least of each figure. */
function cheapest(costs: readonly Cost[]): Cost {
  const least = (of: (cost: Cost) => number): number => Math.min(...costs.map(of));
  return {
    operations: least(({ operations }) => operations),
    billedBytes: least(({ billedBytes }) => billedBytes),
    answerBytes: least(({ answerBytes }) => answerBytes),
    cpuMs: least(({ cpuMs }) => cpuMs),
  };
}

function reportProbe(
  of: string,
  sizes: readonly number[],
  { what, returnsMore = false, carriesMore = false }: Probe,
  costs: readonly Cost[],
): void {
  const ratioOf = (figure: keyof Cost): number => {
    const [first = 0, ...later] = costs.map((cost) => cost[figure]);
    return first === 0 ? (later.some((value) => value > 0) ? Number.POSITIVE_INFINITY : 1) : Math.max(...later) / first;
  };
  const ratios = {
    ratio_of_operations: ratioOf("operations"),
    ratio_of_billed_bytes: ratioOf("billedBytes"),
    ratio_of_answer_bytes: ratioOf("answerBytes"),
    ratio_of_cpu: ratioOf("cpuMs"),
  };
  const judged = carriesMore ? [ratios.ratio_of_operations, ratios.ratio_of_billed_bytes] : Object.values(ratios);
  const ratio = Math.max(...judged);
  report({
    bench: "growth",
    what: `${what}, ${of} ${sizes.join(", ")}`,
    operations: costs.map(({ operations }) => operations),
    billed_mib: costs.map(({ billedBytes }) => billedBytes / 2 ** 20),
    answer_bytes: costs.map(({ answerBytes }) => answerBytes),
    cpu_ms: costs.map(({ cpuMs }) => cpuMs),
    ...ratios,
    ratio,
    ...(carriesMore ? { carries_more_rows: true } : {}),
    ...(returnsMore ? { returns_more: true } : { budget_ratio: RATIO_MAX, met: ratio <= RATIO_MAX }),
  });
}
