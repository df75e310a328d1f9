import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BigQuery } from "@google-cloud/bigquery";
import type { Statement } from "../../shared/google/statement.ts";
import { timed } from "./measure.ts";
import { openOwnWarehouse } from "./own-warehouse.ts";

/** The duration of a COPY, and the rows and size of its file. */
export interface Copied {
  readonly ms: number;
  readonly rows: number;
  readonly bytes: number;
}

/** DuckDB's own COPY in this process. */
export interface OwnCopy {
  /** Fills the tables to copy from. */
  readonly client: BigQuery;
  /** Writes the rows of an export statement with these COPY options. */
  readonly copy: (statement: Statement, options: string) => Promise<Copied>;
  readonly close: () => Promise<void>;
}

/** Opens an in-memory warehouse in this process, with the limits of the service's, and direct access to its DuckDB. */
export async function openOwnCopy(): Promise<OwnCopy> {
  const { client, connection, folder, translate, close } = await openOwnWarehouse({ account: "functions" });
  const file = join(folder, "copied");
  const copy: OwnCopy["copy"] = async ({ sql, parameters }, options) => {
    const {
      statements: [translated],
      values,
    } = await translate(sql, parameters);
    if (translated?.kind !== "export") throw new Error("Only an export can be copied");
    const prepared = await values.prepare(connection, `COPY (${translated.sql}) TO '${file}' (${options})`);
    let rows = 0;
    const ms = await timed(async () => {
      rows = (await prepared.run()).rowsChanged;
    });
    prepared.destroySync();
    const { size: bytes } = statSync(file);
    rmSync(file);
    return { ms, rows, bytes };
  };
  return { client, copy, close };
}
