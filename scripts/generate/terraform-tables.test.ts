import { readdirSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { expect, it } from "vitest";
import { terraformCustomerViews, terraformTables } from "./terraform-tables.ts";

const WAREHOUSE = new URL("../../infra/warehouse/", import.meta.url);

const Column = v.object({ name: v.string(), type: v.string(), mode: v.string(), description: v.optional(v.string()) });
const Table = v.object({
  dataset: v.string(),
  table: v.string(),
  partition: v.nullable(v.object({ field: v.string(), type: v.string(), expiration_ms: v.nullable(v.number()) })),
  require_partition_filter: v.boolean(),
  clustering: v.array(v.string()),
  schema: v.array(Column),
});
const Tables = v.object({
  datasets: v.record(v.string(), v.object({ location: v.string(), default_table_expiration_ms: v.nullable(v.number()) })),
  tables: v.record(v.string(), Table),
});
const Views = v.record(
  v.string(),
  v.object({ scenario: v.string(), dataset: v.string(), reads: v.string(), query: v.string(), table: Table }),
);

const { datasets, tables } = v.parse(Tables, terraformTables());
const files = readdirSync(WAREHOUSE).filter((file) => file.endsWith(".sql") && file !== "datasets.sql");
const textOf = (file: string) => readFileSync(new URL(file, WAREHOUSE), "utf8");
const DAY_MS = 86_400_000;

/** The definitions of all tables as one reads them: not by the grammar that is tested here. A file may hold the raw and the published table. */
const written = files.flatMap((file) =>
  [...textOf(file).matchAll(/^CREATE TABLE IF NOT EXISTS ([\w.]+) \(\n(.*?;)$/gms)].map(([, name = "", text = ""]) => ({ name, text })),
);

/** The columns of a definition line by line, and whether they are required. */
function writtenColumns(text: string): [name: string, isRequired: boolean][] {
  return [...text.matchAll(/^ {2}(\w+) (?!ARRAY)\w+( NOT NULL)?(?: OPTIONS .*)?,?$/gm)].map(([, name = "", required]) => [
    name,
    required !== undefined,
  ]);
}

it("contains exactly the defined tables and datasets", () => {
  expect(Object.keys(tables).sort()).toEqual(written.map(({ name }) => name).sort());
  expect(written.length).toBe(files.reduce((sum, file) => sum + (textOf(file).match(/CREATE TABLE/g) ?? []).length, 0));
  const schemas = [...textOf("datasets.sql").matchAll(/CREATE SCHEMA IF NOT EXISTS (\w+)/g)].map(([, name]) => name);
  expect(Object.keys(datasets)).toEqual(schemas);
  expect(new Set(Object.values(tables).map((table) => table.dataset))).toEqual(new Set(["intake", "mobility", "realtime"]));
});

it("a table has the columns of its definition, in order, with their modes", () => {
  for (const { name, text } of written) {
    const made = tables[name]?.schema.map((column) => [column.name, column.mode === "REQUIRED"]) ?? [];
    // ARRAY columns are REPEATED.
    const repeated = tables[name]?.schema.filter(({ mode }) => mode === "REPEATED").map((column) => column.name) ?? [];
    expect([name, made.filter(([column]) => !repeated.some((one) => one === column))]).toEqual([name, writtenColumns(text)]);
  }
});

it("partition filters, expirations and clustering match the definitions", () => {
  for (const presence of ["intake.presence", "realtime.presence"])
    expect(tables[presence]).toMatchObject({
      partition: { field: "tick", type: "HOUR", expiration_ms: 2 * DAY_MS },
      require_partition_filter: true,
      clustering: ["country_code", "cell_id"],
    });
  expect(tables["mobility.batches"]?.partition).toBeNull();
  expect(datasets).toMatchObject({ staging: { default_table_expiration_ms: DAY_MS }, realtime_eu: { location: "eu" } });
  const filtered = written.filter(({ text }) => /require_partition_filter = TRUE/.test(text)).length;
  expect(Object.values(tables).filter((table) => table.require_partition_filter)).toHaveLength(filtered);
});

it("raw rows leave 14 days after their load, and what is published has no count of devices", () => {
  const inDataset = (id: string) => Object.values(tables).filter(({ dataset }) => dataset === id);
  const facts = inDataset("intake").filter(({ schema }) => schema.some(({ name }) => name === "loaded_on"));
  expect(facts.map(({ table }) => table).sort()).toEqual(["activities_daily", "activities_hourly", "flows_hourly", "odm_daily"]);
  for (const { partition, require_partition_filter } of facts)
    expect({ partition, require_partition_filter }).toEqual({
      partition: { field: "loaded_on", type: "DAY", expiration_ms: 14 * DAY_MS },
      require_partition_filter: true,
    });
  const counting = (id: string) => inDataset(id).filter(({ schema }) => schema.some(({ name }) => /^(devices|publishable)$/.test(name)));
  expect(counting("intake").map(({ table }) => table)).toContain("presence");
  expect(["mobility", "realtime"].flatMap(counting)).toEqual([]);
});

it("a nested column keeps its fields", () => {
  expect(tables["realtime.map_cells"]?.schema.find(({ name }) => name === "cells")).toMatchObject({
    type: "RECORD",
    mode: "REPEATED",
  });
  expect(JSON.stringify(terraformTables())).toContain(
    '"fields":[{"name":"cell_id","type":"INTEGER","mode":"NULLABLE"},{"name":"weight","type":"FLOAT","mode":"NULLABLE"}]',
  );
});

it("a customer's view names the data's project and reads only that customer's own table, of its rows", () => {
  const views = v.parse(Views, terraformCustomerViews());
  expect(Object.entries(views).map(([name, { scenario, dataset, reads }]) => [name, scenario, dataset, reads])).toEqual([
    ["realtime_data", "B", "customer_{uid}", "realtime_customers"],
    ["target_country_summary_view_customer", "A", "customer_{uid}_eu", "realtime_eu"],
  ]);
  const shared = tables["realtime.headcounts"];
  for (const { query, reads, table } of Object.values(views)) {
    expect(query.match(/`[^`]*`/g)).toEqual([`\`{project}.${reads}.headcounts_{uid}\``]);
    expect(table).toMatchObject({ dataset: reads, table: "headcounts_{uid}", clustering: ["target_id"], require_partition_filter: false });
    expect([table.schema, table.partition]).toEqual([shared?.schema, { field: "timestamp", type: "DAY", expiration_ms: 400 * DAY_MS }]);
    expect(query).toContain("WHERE uid = '{uid}'");
    expect(query.endsWith(";")).toBe(false);
  }
});
