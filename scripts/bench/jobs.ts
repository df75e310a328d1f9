import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { parseOptions } from "../../infra/local/options.ts";
import type { Ready } from "../../infra/local/ready-file.ts";
import { startService } from "../../infra/local/service.ts";
import { countries } from "../../shared/countries/countries.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import type { ActivitiesRequest } from "../../shared/products/activities.ts";
import { summaryStatement } from "../../shared/products/product-query.ts";
import { queryOf } from "../../shared/products/testing/query-of.ts";
import { parseConfig } from "../../shared/runtime/config.ts";
import { provisionCustomer } from "../admin/local/customers.ts";
import { concurrently, inSteadyState, quantile, report, type Steady, timed } from "./measure.ts";
import { cpuMs } from "./process-cpu.ts";
import { runJob } from "./run-job.ts";

const ALONE = 30;
const TOGETHER = 960;
const CUSTOMERS = 16;
const WIDTH = 96;
const BUDGETS = { alone_ms: 50, per_second: 60, ratio: 1.5 } as const;

/** Measures small preview jobs through the whole path, against the bare query of such a job through the same client. */
export async function benchJobs(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const service = await startService(
    parseOptions(["--state", state, "--engines", process.env.POPULUS_ENGINES ?? "embedded"]),
    () => undefined,
  );
  await service.filled;
  try {
    Object.assign(process.env, service.environment);
    await measure(service.ready);
  } finally {
    await service.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

async function measure(ready: Ready): Promise<void> {
  const day = 86_400_000;
  const date = (daysAgo: number): string => new Date(Math.floor(Date.now() / day - daysAgo) * day).toISOString();
  const request: ActivitiesRequest = {
    agg_type: "activities",
    country_code: "EST",
    measure: "sum_unique_people",
    activity_type: "hourly",
    geo_type: "admin_level_2",
    geo_ids: null,
    start_time: date(3),
    end_time: date(2),
    full: false,
    format: "csv",
  };
  const { geo_ids: _all, ...body } = request;
  const statement = summaryStatement(queryOf(request, countries()), "first");
  const warehouse = openWarehouse(parseConfig(process.env));
  const bare = async (): Promise<void> => {
    const id = `bench_${crypto.randomUUID()}`;
    await warehouse.start(id, statement, { customer: "all" });
    await warehouse.wait(id, statement, 20_000);
  };
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, (_, index) =>
      provisionCustomer(functionsConfig(ready.project), ready.metadata_host, {
        name: `Bench ${index}`,
        countries: ["EST"],
        defaultCountry: "EST",
        keys: { storage: { service: "storage", scopes: [], machineAccountAdmin: false } },
      }),
    ),
  );
  const job = (index: number, every: number): Promise<string> =>
    runJob(ready, customers[index % CUSTOMERS]?.keys.storage ?? "", body, every);

  await concurrently(50, 8, bare);
  await concurrently(50, 8, (index) => job(index, 100));
  const bareTimes: number[] = [];
  const jobTimes: number[] = [];
  for (let run = 0; run < ALONE; run++) {
    bareTimes.push(await timed(bare));
    jobTimes.push(await timed(() => job(run, 2)));
  }
  const [query, whole] = [quantile(bareTimes, 0.5), quantile(jobTimes, 0.5)];
  report({
    bench: "jobs",
    what: "one at a time",
    jobs: ALONE,
    completed_p50_ms: whole,
    completed_p95_ms: quantile(jobTimes, 0.95),
    query_p50_ms: query,
    less_the_query_ms: whole - query,
    budget_less_the_query_ms: BUDGETS.alone_ms,
    ratio: whole / query,
    met: whole - query <= BUDGETS.alone_ms,
  });

  const load = { count: TOGETHER, width: WIDTH };
  const cpu = () => cpuOf(ready);
  const bareLoad = await inSteadyState(load, bare, cpu);
  const jobLoad = await inSteadyState(load, (index) => job(index, 1000), cpu);
  const [bareUse, jobUse] = [eachUsed(bareLoad), eachUsed(jobLoad)];
  const perSecond = (1000 * TOGETHER) / jobLoad.ms;
  const ratio = jobLoad.ms / bareLoad.ms;
  report({
    bench: "jobs",
    what: `${WIDTH} at a time`,
    jobs: TOGETHER,
    jobs_per_second: perSecond,
    bare_queries_per_second: (1000 * TOGETHER) / bareLoad.ms,
    // Of each job: the service's own, the local cloud's, and that of this process, which submits and polls. Of each bare query likewise: this
    // process has the client of BigQuery that the functions have for a job.
    functions_cpu_ms: jobUse.functions,
    cloud_cpu_ms: jobUse.cloud,
    client_cpu_ms: jobUse.client,
    cloud_cpu_ms_of_the_bare_query: bareUse.cloud,
    client_cpu_ms_of_the_bare_query: bareUse.client,
    ratio_of_cpu: sumOf(jobUse) / sumOf(bareUse),
    budget_per_second: BUDGETS.per_second,
    budget_ratio: BUDGETS.ratio,
    ratio,
    met: perSecond >= BUDGETS.per_second && ratio <= BUDGETS.ratio,
  });
}

/** CPU milliseconds of each process. */
type Cpu = Readonly<Record<"functions" | "cloud" | "client", number>>;

/** Returns the CPU of each process for one run. */
function eachUsed({ before, after }: Steady<Cpu>): Cpu {
  const used = (of: keyof Cpu): number => (after[of] - before[of]) / TOGETHER;
  return { functions: used("functions"), cloud: used("cloud"), client: used("client") };
}

function sumOf({ functions, cloud, client }: Cpu): number {
  return functions + cloud + client;
}

/** The CPU milliseconds that each process has used. */
function cpuOf({ pids }: Ready): Cpu {
  return { functions: cpuMs(pids.functions), cloud: cpuMs(pids.cloud), client: cpuMs(process.pid) };
}
