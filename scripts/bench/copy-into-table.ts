import { DuckDBInstance, quotedString } from "@duckdb/node-api";
import { MEMORY_LIMITS } from "../../infra/local/bigquery/warehouse/memory-limits.ts";

/**
 * DuckDB's own COPY of a file of flows into a table of the same columns, in a process of its own, with the memory limit of the local BigQuery.
 * Prints its duration in milliseconds.
 * Arguments: the file, and the path of a new database.
 */
const [file = "", database = ""] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database, { memory_limit: MEMORY_LIMITS.onDisk });
const connection = await instance.connect();
await connection.run("SET TimeZone = 'UTC'");
await connection.run(
  "CREATE TABLE copied (country_code VARCHAR, link_id BIGINT, time_bucket TIMESTAMPTZ, direction BIGINT, people BIGINT, devices BIGINT)",
);
const start = performance.now();
await connection.run(`COPY copied FROM ${quotedString(file)} (FORMAT csv, HEADER)`);
console.log(performance.now() - start);
connection.closeSync();
instance.closeSync();
