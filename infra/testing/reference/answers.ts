import * as v from "valibot";
import { expect, vi } from "vitest";
import { type Answer, call } from "../service.ts";
import type { TokenHolder } from "./customers.ts";

/** What every result has beside its rows. */
export const Meta = v.strictObject({ suppressed_rows: v.null(), unknown_ids: v.array(v.number()), k: v.number(), step: v.number() });

/** The data versions of a result or manifest. */
export const DataVersions = v.array(v.strictObject({ batch_date: v.string(), version: v.number() }));

/** The warnings of a result. */
export const Warnings = v.array(v.strictObject({ code: v.string(), detail: v.string() }));

const Row = v.record(v.string(), v.unknown());
const RowsKind = v.picklist(["activities_rows", "odm_rows", "flow_rows"]);
const Results = v.looseObject({ kind: RowsKind, results: v.array(Row), truncated: v.boolean(), meta: Meta });
const JobPreview = v.strictObject({
  job_id: v.string(),
  kind: RowsKind,
  status: v.literal("completed"),
  country_code: v.string(),
  preview: v.array(Row),
  total_rows: v.number(),
  meta: Meta,
  data_versions: DataVersions,
  warnings: Warnings,
  superseded: v.optional(v.nullable(v.boolean())),
});

/** Returns `GET /data-agg` with its query. A parameter with several values is repeated. */
export function previewPath(given: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(given).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, String(value)]));
  return `/data-agg?${new URLSearchParams(pairs)}`;
}

/** Requests a synchronous preview. */
export async function syncPreview(
  { key }: TokenHolder,
  given: Readonly<Record<string, unknown>>,
): Promise<v.InferOutput<typeof Results> & { readonly headers: Headers }> {
  const answer = await call("data", "GET", previewPath(given), { key });
  return { ...v.parse(Results, ok(answer)), headers: answer.headers };
}

const Columns = v.looseObject({ kind: v.literal("activities_columns"), geo_ids: v.array(v.number()), truncated: v.boolean(), meta: Meta });

/** Requests a synchronous preview by column. */
export async function columnPreview(
  { key }: TokenHolder,
  given: Readonly<Record<string, unknown>>,
): Promise<v.InferOutput<typeof Columns>> {
  return v.parse(Columns, ok(await call("data", "GET", previewPath({ ...given, format: "columns" }), { key })));
}

const Page = v.object({ geographies: v.array(v.object({ geo_id: v.number() })), next_cursor: v.null() });

/** Returns the ids of the geographies that touch a box, at most 1,000. */
export async function idsInBox({ key }: TokenHolder, given: Readonly<Record<string, string>>): Promise<number[]> {
  const answer = await call("data", "GET", `/geographies?${new URLSearchParams({ ...given, limit: "1000" })}`, { key });
  return v.parse(Page, ok(answer)).geographies.map(({ geo_id }) => geo_id);
}

/** The preview of a finished job. */
export async function jobPreview({ key }: TokenHolder, request: object): Promise<v.InferOutput<typeof JobPreview>> {
  return v.parse(JobPreview, await resultsOf(key, request));
}

const Submitted = v.object({ results_url: v.string() });

/** Submits a job, waits for its end and returns the body of its results. Fails the test when the job fails. */
export async function resultsOf(key: string, request: object): Promise<unknown> {
  const submitted = await call("data", "POST", "/data-agg", { key, body: request });
  expect(submitted, JSON.stringify(submitted.body)).toMatchObject({ status: 202 });
  const { results_url: url } = v.parse(Submitted, submitted.body);
  const answer = await vi.waitFor(
    async () => {
      const results = await call("data", "GET", url, { key });
      expect(results.status).not.toBe(202);
      return results;
    },
    { timeout: 60_000, interval: 100 },
  );
  return ok(answer);
}

function ok({ status, body }: Answer): unknown {
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
