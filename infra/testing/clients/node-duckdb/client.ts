import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import type { CheckContext, Client } from "../client.ts";
import { exportedJob } from "../exported-job.ts";
import { snippetChecks } from "../snippets.ts";
import { npmPackages, runModule } from "../tools/node-program.ts";

const NAME = "node-duckdb";
const Urls = v.object({ urls: v.tupleWithRest([v.object({ url: v.string() })], v.unknown()) });

/** Downloads the Parquet file of a job by its signed URL to the file that the page names. */
async function download(context: CheckContext): Promise<void> {
  const { ready, customer, folder } = context;
  const { id } = await exportedJob(context, "parquet");
  const headers = { "x-api-key": customer.keys.storage ?? "" };
  const signed = await fetch(`${ready.data_base_url}/data-agg/results/${id}/urls`, { method: "POST", headers });
  const { urls } = v.parse(Urls, await signed.json());
  const file = await fetch(urls[0].url);
  if (!file.ok) throw new Error(`The signed URL answered ${file.status}`);
  writeFileSync(join(folder, "trips.parquet"), Buffer.from(await file.arrayBuffer()));
}

/** npm's @duckdb/node-api. */
export const nodeDuckDb: Client = {
  name: NAME,
  tool: npmPackages,
  checks: snippetChecks(NAME, async ({ text }, context) => {
    await download(context);
    return runModule(text, context.folder, {});
  }),
};
