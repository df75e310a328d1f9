import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { ready } from "../service.ts";

const Token = v.object({ access_token: v.string() });
const Listing = v.object({ items: v.optional(v.array(v.object({ name: v.string() })), []) });

/** A snapshot of a warehouse table. */
export interface Dump {
  /** Returns the columns of a DuckDB query. `FROM dump` is added. Seeded draws need `ORDER BY`: files of an export come in any order. */
  readonly columns: (select: string, rest?: string) => Promise<unknown[][]>;
  readonly close: () => void;
}

/** Opens the real client as the operator. */
export function operatorsWarehouse(): BigQuery {
  return new BigQuery({ projectId: ready.project, location: "europe-north1", apiEndpoint: ready.bigquery_endpoint });
}

/**
 * Reads the rows of a GoogleSQL query as the operator, through an export to the bucket. That takes one second for a million rows; pages of
 * JSON take forty.
 */
export async function openDump(sql: string): Promise<Dump> {
  const folder = `reference/${randomUUID()}/`;
  const uri = `gs://${ready.export_bucket}/${folder}rows-*.parquet`;
  await operatorsWarehouse().query(`EXPORT DATA OPTIONS (uri = '${uri}', format = 'PARQUET') AS ${sql}`);
  const headers = { authorization: `Bearer ${await operatorsToken()}` };
  const listed = await fetch(`${ready.storage_endpoint}/storage/v1/b/${ready.export_bucket}/o?prefix=${folder}`, { headers });
  const { items } = v.parse(Listing, await listed.json());
  const directory = await mkdtemp(join(tmpdir(), "populus-reference-"));
  try {
    for (const [index, { name }] of items.entries()) {
      const file = await fetch(`${ready.storage_endpoint}/${ready.export_bucket}/${name}`, { headers });
      await writeFile(join(directory, `${index}.parquet`), new Uint8Array(await file.arrayBuffer()));
    }
    return await inMemory(join(directory, "*.parquet"));
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function operatorsToken(): Promise<string> {
  const url = `http://${ready.metadata_host}/computeMetadata/v1/instance/service-accounts/default/token`;
  return v.parse(Token, await (await fetch(url, { headers: { "metadata-flavor": "Google" } })).json()).access_token;
}

async function inMemory(files: string): Promise<Dump> {
  const connection = await openDuckDb();
  await connection.run(`CREATE TABLE dump AS FROM read_parquet('${files}')`);
  return {
    columns: async (select, rest = "") => (await connection.runAndReadAll(`SELECT ${select} FROM dump ${rest}`)).getColumnsJS(),
    close: () => connection.closeSync(),
  };
}

/** Opens an in-memory DuckDB for reading files. */
export async function openDuckDb(): Promise<DuckDBConnection> {
  return await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
}
