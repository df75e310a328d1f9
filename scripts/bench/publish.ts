import { loadavg } from "node:os";
import type { DuckDBConnection } from "@duckdb/node-api";
import * as v from "valibot";
import { generateSample } from "../../infra/local/sample/generate.ts";
import { loadedCountry } from "../../shared/products/loaded-tables.ts";
import { FACT_TABLES } from "../../shared/products/catalogue.ts";
import type { LoadedTable } from "../../shared/products/loaded-tables.ts";
import { LOADED_TABLES } from "../../shared/products/loaded-tables.ts";
import { columnsOf } from "../../shared/google/columns.ts";
import { parseCountryTable } from "../../shared/products/countries.ts";
import { loadParameters } from "../../shared/publishing/batches.ts";
import { loadSteps } from "../../shared/publishing/load.ts";
import { publishedWith } from "../../shared/publishing/load-facts.ts";
import type { FactLoad } from "../../shared/publishing/staged-load.ts";
import countries from "../../infra/countries.json" with { type: "json" };
import { report, timed } from "./measure.ts";
import { type OwnWarehouse, openOwnWarehouse } from "./own-warehouse.ts";
import { peakMib, resetPeak, residentMib } from "./process-memory.ts";

export const PUBLISH_OPTIONS = {
  scale: { type: "string", default: "20" },
  "memory-limit": { type: "string", default: "2GB" },
} as const;

/** The sample's country with all levels and mixed pairs. */
const COUNTRY = "LAT";
/** Just after midnight there, so that the day before is whole. */
const NOW = new Date("2026-03-11T22:30:00Z");
const DAY = "2026-03-11";
const BUDGETS = { budget_ratio: 2 };
const Counted = v.tuple([v.tuple([v.bigint()])]);

export async function benchPublish(values: Readonly<Record<keyof typeof PUBLISH_OPTIONS, string>>): Promise<void> {
  const scale = Number(values.scale);
  const warehouse = await openOwnWarehouse({ account: "operator", onDisk: true, memoryLimit: values["memory-limit"] });
  try {
    console.error(`Generating a day at scale ${scale} …`);
    await generateSample(warehouse.connection, { seed: 1, scale, now: NOW, days: 1 });
    const order = ["activities_daily", "activities_hourly", "odm_daily", "flows_hourly"];
    for (const name of order) {
      const table = LOADED_TABLES.find((known) => known.name === name);
      if (!table) throw new Error(name);
      await takeOut(warehouse, table);
    }
    for (const name of order) {
      const table = LOADED_TABLES.find((known) => known.name === name);
      if (!table) throw new Error(name);
      await publish(warehouse, table, scale);
    }
  } finally {
    await warehouse.close();
  }
}
async function takeOut({ client, connection }: OwnWarehouse, table: LoadedTable) {
  const filter = `country_code = '${COUNTRY}' AND batch_date = DATE '${DAY}'`;
  const cols = columnsOf((await client.dataset("intake").table(table.name).getMetadata())[0]).map(c=>c.name).filter(n=>n!=="loaded_on");
  await client.query(`CREATE TABLE staging.import_${table.name} AS SELECT ${cols.join(", ")} FROM intake.${table.name} WHERE loaded_on > '1970-01-01' AND ${filter}`);
  await connection.run(`DELETE FROM intake.${table.name} WHERE ${filter}`);
  await connection.run(`DELETE FROM mobility.${table.name} WHERE ${filter}`);
  for (const l of ["intake.batches","mobility.batches","mobility.batch_geo_types"]) await connection.run(`DELETE FROM ${l} WHERE ${filter} AND table_name = '${table.name}'`);
}
async function count(c: DuckDBConnection, sql: string) { const r = await c.runAndReadAll(sql); return Number(v.parse(Counted, r.getRows())[0][0]); }
async function publish(warehouse: OwnWarehouse, table: LoadedTable, scale: number) {
  const { client, connection } = warehouse;
  const rules = parseCountryTable("x", countries)[COUNTRY];
  const c = rules && loadedCountry(table, COUNTRY, rules);
  if (!c || !table.publication) throw new Error("no");
  const cols = columnsOf((await client.dataset("staging").table(`import_${table.name}`).getMetadata())[0]).map(c=>({name:c.name,isGeography:false}));
  const load: FactLoad = { table: table.name, staging: `staging.import_${table.name}`, columns: cols, key: table.key, replaces: table.replaces, countries: [c], days: { first: DAY, last: DAY }, publication: table.publication, checksum: "bench" };
  const steps = loadSteps(load);
  const publishes = new Set(publishedWith(load).flatMap((p) => p.publish));
  await client.query(steps.before.join(";\n"));
  resetPeak(process.pid);
  const before = residentMib(process.pid);
  await connection.run("BEGIN TRANSACTION");
  let pub = 0, own = 0;
  for (const sql of steps.within) {
    const { statements: [s], bind } = await warehouse.translate(sql, loadParameters(load));
    if (s?.kind !== "dml") throw new Error("dml");
    if (process.env.EXPLAIN && publishes.has(sql) && sql.includes("WITH rules")) { const e = await bind(connection, `EXPLAIN ANALYZE ${s.sql}`); const r = await e.runAndReadAll(); const fs = await import("node:fs"); fs.writeFileSync(`/root/imp/explain-${table.name}-${sql.slice(20,60).replace(/\W+/g,"_")}.txt`, String(r.getRows()[0]?.[1])); continue; }
    const u = process.cpuUsage();
    const ms = await timed(async () => { const p = await bind(connection, s.sql); await p.run(); p.destroySync(); });
    const cpu = process.cpuUsage(u);
    console.error((publishes.has(sql) ? "P " : "  ") + sql.slice(0, 90).replace(/\s+/g, " "), "|", ms | 0, "cpu", ((cpu.user+cpu.system)/1000)|0, "peak", peakMib(process.pid)|0);
    if (publishes.has(sql)) pub += ms; else own += ms;
  }
  console.error("commit", await timed(() => connection.run("COMMIT")));
  const rows = await count(connection, `SELECT count(*) FROM ${load.staging}`), pubd = await count(connection, `SELECT count(*) FROM mobility.${table.name} WHERE batch_date = DATE '${DAY}' AND country_code = '${COUNTRY}'`);
  console.error(table.name, { rows, pubd, pub, own, before, peak: peakMib(process.pid) });
  await connection.run(`CREATE TEMP TABLE bare AS FROM mobility.${table.name} LIMIT 0`);
  console.error("copy", await timed(() => connection.run(`INSERT INTO bare SELECT * FROM mobility.${table.name} WHERE batch_date = DATE '${DAY}' AND country_code = '${COUNTRY}'`)));
  await connection.run(`DROP TABLE bare`);
  await client.query(steps.after.join(";\n"));
}
