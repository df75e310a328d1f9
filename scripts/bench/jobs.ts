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
import { concurrently, quantile, report, timed } from "./measure.ts";
import { runJob } from "./run-job.ts";

const ALONE = 30;
const TOGETHER = 960;
const CUSTOMERS = 16;
const WIDTH = 96;

/** Measures small preview jobs through the whole path, against the bare query of such a job through the same client. */
export async function benchJobs(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "populus-bench-"));
  const service = await startService(
    parseOptions(["--state", state, "--engines", process.env.POPULUS_ENGINES ?? "embedded"]),
    () => undefined,
  );
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
    budget_ms: 300,
    ratio: whole / query,
  });

  const bareMs = await timed(() => concurrently(TOGETHER, WIDTH, bare));
  const jobsMs = await timed(() => concurrently(TOGETHER, WIDTH, (index) => job(index, 1000)));
  report({
    bench: "jobs",
    what: `${WIDTH} at a time`,
    jobs: TOGETHER,
    jobs_per_second: (1000 * TOGETHER) / jobsMs,
    budget_per_second: 50,
    bare_queries_per_second: (1000 * TOGETHER) / bareMs,
    ratio: jobsMs / bareMs,
  });
}
