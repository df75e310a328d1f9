import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { ready } from "../service.ts";
import type { Expected } from "./activities.ts";
import { jobPreview, syncPreview } from "./answers.ts";
import type { CountryRules } from "./countries.ts";
import type { TokenHolder } from "./customers.ts";
import type { ExportedColumn } from "./export-rows.ts";
import { exported } from "./exports.ts";
import type { DataVersion } from "./tables.ts";

type Row = Readonly<Record<string, unknown>>;

/** Compares two lists of rows. Throws an Error with the first difference. */
function expectRows(actual: readonly Row[], expected: readonly Row[]): void {
  const rows = actual.length === expected.length ? `${actual.length} rows` : `${actual.length} rows, expected ${expected.length}`;
  for (let index = 0; index < Math.max(actual.length, expected.length); index++)
    if (!isSame(actual[index], expected[index]))
      throw new Error(`${rows}; row ${index} is ${JSON.stringify(actual[index])}, expected ${JSON.stringify(expected[index])}`);
}

/** Compares two values exactly, except distances, which may differ by half a metre because they may be computed differently. */
function isSame(actual: Row | undefined, expected: Row | undefined): boolean {
  const [one, other] = [actual?.distance_m, expected?.distance_m];
  const isNear = typeof one === "number" && typeof other === "number" && Math.abs(one - other) <= 0.5;
  return isDeepStrictEqual(isNear ? { ...actual, distance_m: other } : actual, expected);
}

/** Returns the request and what is wrong with its response. Undefined when `check` does not throw. */
export async function faultOf(request: object, check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return `${JSON.stringify(request)}: ${error instanceof Error ? [error.message, error.cause ?? ""].join(" ") : String(error)}`;
  }
}

/** Fails the test with the first three faults, when there are any. */
export function expectNoFaults(faults: readonly (string | undefined)[]): void {
  const found = faults.filter((fault) => fault !== undefined);
  expect(found.length, [`${found.length} of ${faults.length} requests`, ...found.slice(0, 3)].join("\n")).toBe(0);
}

/** Returns the expected members of `meta`. */
function expectMeta(meta: object, { unknown_ids }: Expected, { k, step }: CountryRules): void {
  expect(meta).toEqual({ suppressed_rows: null, unknown_ids, k, step });
}

/** The expected members of a synchronous preview besides its rows. */
export interface ExpectedEcho {
  readonly truncated: boolean;
  readonly [member: string]: unknown;
}

/** Requests a synchronous preview and compares all its rows with `expected`, which covers the first 24 hours. */
export async function checkSyncPreview(
  customer: TokenHolder,
  query: Readonly<Record<string, unknown>>,
  expected: Expected,
  rules: CountryRules,
  echo: ExpectedEcho,
): Promise<Headers> {
  const { results, meta, headers, ...others } = await syncPreview(customer, query);
  expectRows(results, expected.rows);
  expect(others).toMatchObject(echo);
  expectMeta(meta, expected, rules);
  return headers;
}

/** Runs a job and compares its preview (the first 100 rows) and its totals. */
export async function checkJobPreview(customer: TokenHolder, request: object, expected: Expected, rules: CountryRules): Promise<void> {
  const { preview, total_rows, meta, country_code } = await jobPreview(customer, request);
  expectRows(preview, expected.rows.slice(0, 100));
  expect({ total_rows, country_code }).toEqual({ total_rows: expected.rows.length, country_code: rules.code });
  expectMeta(meta, expected, rules);
}

/** The expected properties of an export besides its rows. */
export interface ExpectedExport {
  /** `{product}_{bucket}_{measure}`. */
  readonly folder: string;
  readonly columns: readonly ExportedColumn[];
  /** The key columns of the rows, in the order of `Expected`. */
  readonly order: readonly string[];
  readonly dataVersions: readonly DataVersion[];
  /** Members of the request as repeated in the manifest. */
  readonly request: object;
}

/** Runs a full job, downloads its files and compares every row and the manifest. The rows of an export are unordered. */
export async function checkExport(
  customer: TokenHolder,
  request: { readonly agg_type: string; readonly format: string },
  expected: Expected,
  rules: CountryRules,
  { folder, columns, order, dataVersions, request: repeated }: ExpectedExport,
): Promise<void> {
  const { results, manifest, rows } = await exported(customer, request);
  expectRows(rows.toSorted(inOrderOf(order)), expected.rows.map(withoutNulls));
  const path = `${ready.export_bucket}/results/${customer.uid}/${results.job_id}/${folder}`;
  const common = { job_id: results.job_id, country_code: rules.code, total_rows: expected.rows.length };
  expect(results).toMatchObject({
    ...common,
    http_path: `https://console.cloud.google.com/storage/browser/${path}`,
    gs_uri: `gs://${path}/`,
  });
  expect(manifest).toMatchObject({ ...common, agg_type: request.agg_type, format: request.format });
  expect(manifest.columns).toEqual(columns);
  expect(manifest.data_versions).toEqual(dataVersions);
  expect(manifest.request).toMatchObject(repeated);
  expectMeta(results.meta, expected, rules);
  expectMeta(manifest.meta, expected, rules);
}

/** Returns a row as in files, which omit null values. */
function withoutNulls(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

function inOrderOf(names: readonly string[]): (a: Row, b: Row) => number {
  return (a, b) => {
    const name = names.find((one) => a[one] !== b[one]);
    if (name === undefined) return 0;
    const [one, other] = [a[name], b[name]];
    return typeof one === "number" && typeof other === "number" ? one - other : String(one) < String(other) ? -1 : 1;
  };
}
