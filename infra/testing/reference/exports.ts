import { CRC32C } from "@google-cloud/storage";
import * as v from "valibot";
import { expect } from "vitest";
import { ready } from "../service.ts";
import { DataVersions, Meta, resultsOf, Warnings } from "./answers.ts";
import type { TokenHolder } from "./customers.ts";
import { exportedRows } from "./export-rows.ts";

const Files = v.array(v.strictObject({ name: v.string(), size: v.number(), crc32c: v.string() }));
const ExportResults = v.strictObject({
  job_id: v.string(),
  kind: v.literal("export"),
  status: v.literal("completed"),
  country_code: v.string(),
  http_path: v.string(),
  gs_uri: v.string(),
  files: Files,
  total_rows: v.number(),
  meta: Meta,
  data_versions: DataVersions,
  warnings: Warnings,
  superseded: v.optional(v.nullable(v.boolean())),
});

/** The members of a manifest. */
const Manifest = v.strictObject({
  job_id: v.string(),
  agg_type: v.string(),
  country_code: v.string(),
  format: v.picklist(["csv", "parquet", "json"]),
  attempt: v.number(),
  files: Files,
  total_rows: v.number(),
  columns: v.array(v.strictObject({ name: v.string(), type: v.string() })),
  request: v.record(v.string(), v.unknown()),
  data_versions: DataVersions,
  meta: Meta,
  created_at: v.pipe(v.string(), v.isoTimestamp()),
});
type Manifest = v.InferOutput<typeof Manifest>;

const Listing = v.object({ items: v.array(v.object({ name: v.string(), size: v.string(), crc32c: v.string() })) });

/** An export in the bucket, as its customer sees it. */
export interface Exported {
  readonly results: v.InferOutput<typeof ExportResults>;
  readonly manifest: Manifest;
  /** The rows of all files, in the response's form. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Runs a full job and downloads its folder with the customer's own token. Fails the test when the folder differs from the manifest: files,
 * sizes, CRC32C, number of rows, or columns.
 */
export async function exported(customer: TokenHolder, request: object): Promise<Exported> {
  const results = v.parse(ExportResults, await resultsOf(customer.key, { ...request, full: true }));
  const folder = results.gs_uri.slice(`gs://${ready.export_bucket}/`.length);
  const manifest = v.parse(Manifest, JSON.parse(Buffer.from(await download(customer, `${folder}manifest.json`)).toString("utf8")));
  const { items } = v.parse(Listing, await (await read(customer, `storage/v1/b/${ready.export_bucket}/o?prefix=${folder}`)).json());
  const listed = items.map(({ name, size, crc32c }) => ({ name: name.slice(folder.length), size: Number(size), crc32c }));
  expect(listed.filter(({ name }) => name !== "manifest.json")).toEqual(manifest.files);
  expect(results.files).toEqual(manifest.files);
  const parts = await Promise.all(manifest.files.map(({ name }) => download(customer, folder + name)));
  const stated = manifest.files.map(({ size, crc32c }) => ({ size, crc32c }));
  expect(parts.map((bytes) => ({ size: bytes.length, crc32c: crc32cOf(bytes) }))).toEqual(stated);
  const rows = await rowsOf(parts, manifest);
  return { results, manifest, rows };
}

async function rowsOf(parts: readonly Uint8Array[], { format, columns }: Manifest): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for (const part of parts) rows.push(...(await exportedRows(part, format, columns)));
  return rows;
}

/** Returns the CRC32C, computed with the client that customers use. */
function crc32cOf(bytes: Uint8Array): string {
  const crc32c = new CRC32C();
  crc32c.update(Buffer.from(bytes));
  return crc32c.toString();
}

async function download(customer: TokenHolder, name: string): Promise<Uint8Array> {
  return new Uint8Array(await (await read(customer, `${ready.export_bucket}/${name}`)).arrayBuffer());
}

async function read({ token }: TokenHolder, path: string): Promise<Response> {
  const answer = await fetch(`${ready.storage_endpoint}/${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status, path).toBe(200);
  return answer;
}
