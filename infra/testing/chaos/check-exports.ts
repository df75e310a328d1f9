import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import { LoginResponse } from "../../../shared/accounts/login-schemas.ts";
import { ExportResults } from "../../../shared/aggregation/result-schemas.ts";
import { openExports } from "../../../shared/google/storage.ts";
import { parseConfig } from "../../../shared/runtime/config.ts";
import type { Ready } from "../../local/ready-file.ts";
import { Crc32c } from "../../local/storage/crc32c.ts";
import type { Environment } from "./between.ts";
import type { Findings } from "./check-jobs.ts";
import type { ChaosCustomer } from "./customers.ts";
import type { SubmittedJob } from "./submit-jobs.ts";

/** Checks that customers can download every export completely, that its folder holds nothing else, and that other jobs left no files. */
export async function checkExports(ready: Ready, environment: Environment, submitted: readonly SubmittedJob[]): Promise<Findings> {
  const exports = openExports(parseConfig(environment));
  const tokens = new Map<string, string>();
  const faults: string[] = [];
  let files = 0;
  let rows = 0;
  for (const { id, customer, full } of submitted) {
    const present = (await exports.list(`results/${customer.uid}/${id}/`)).map(({ name }) => name).sort();
    if (!full) {
      if (present.length > 0) faults.push(`${id} exports nothing and left ${present.join(", ")}`);
      continue;
    }
    const results = await resultsOf(ready, customer, id);
    const expected = [...results.files.map(({ name }) => name), "manifest.json"].sort();
    if (JSON.stringify(present) !== JSON.stringify(expected)) faults.push(`${id} has ${present.join(", ")}, not ${expected.join(", ")}`);
    const token = tokens.get(customer.uid) ?? (await login(ready, customer));
    tokens.set(customer.uid, token);
    let counted = 0;
    for (const file of results.files) {
      const content = await download(ready, token, `${results.gs_uri}${file.name}`);
      if (new Crc32c().update(content).digest() !== file.crc32c) faults.push(`${id}: ${file.name} differs from the manifest`);
      counted += rowsOf(file.name, content) ?? 0;
      files++;
    }
    const isCounted = results.files.every(({ name }) => !name.endsWith(".parquet"));
    if (isCounted && counted !== results.total_rows) faults.push(`${id} has ${counted} rows, not ${results.total_rows}`);
    rows += results.total_rows;
  }
  return { counts: { "export files downloaded": files, "rows in exports": rows }, faults };
}

async function resultsOf(ready: Ready, { key }: ChaosCustomer, id: string) {
  const response = await fetch(`${ready.data_base_url}/data-agg/results/${id}`, { headers: { "x-api-key": key } });
  return v.parse(ExportResults, await response.json());
}

async function login(ready: Ready, { key }: ChaosCustomer): Promise<string> {
  const response = await fetch(`${ready.users_base_url}/login-with-apikey`, { method: "POST", headers: { "x-api-key": key } });
  return v.parse(LoginResponse, await response.json()).accessToken;
}

async function download(ready: Ready, token: string, uri: string): Promise<Buffer> {
  const { hostname: bucket, pathname } = new URL(uri);
  const url = `${ready.storage_endpoint}/storage/v1/b/${bucket}/o/${encodeURIComponent(decodeURIComponent(pathname.slice(1)))}?alt=media`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${uri} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Returns the number of rows of a text file. Undefined for other files. A CSV file begins with a line of names. */
function rowsOf(name: string, content: Buffer): number | undefined {
  if (name.endsWith(".parquet")) return undefined;
  const text = (name.endsWith(".gz") ? gunzipSync(content) : content).toString("utf8");
  const lines = text.split("\n").filter((line) => line !== "").length;
  return name.includes(".csv") ? lines - 1 : lines;
}
