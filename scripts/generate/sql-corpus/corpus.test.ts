import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import rules from "../../../infra/countries.json" with { type: "json" };
import { LOCATION, startWarehouseUnderTest, type WarehouseUnderTest } from "../../../infra/testing/engines/warehouse-under-test.ts";
import { clientQuery } from "../../../shared/google/bigquery.ts";
import { parseCountryTable } from "../../../shared/products/countries.ts";
import { LOADED_TABLES } from "../../../shared/products/loaded-tables.ts";
import { unreached } from "../testing/unreached.ts";
import { aggregationFiles } from "./aggregations.ts";
import { sqlCorpus } from "./corpus.ts";
import { loadFiles } from "./loads.ts";
import { lookupFiles } from "./lookups.ts";
import { privacyFiles } from "./privacy.ts";
import { realtimeFiles } from "./realtime.ts";
import { contentOf, type SqlFile } from "./sql-file.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CORPUS = new URL("corpus.ts", import.meta.url).href;
const FILES = sqlCorpus();

/** BigQuery's maximum length of a query in characters. */
const TEXT_MAX = 1024 * 1024;

/** Returns the source files of a folder that contain SQL, relative to the project's root. */
function sourcesWithSql(folder: string): string[] {
  const sql =
    /[`"']\s*(?:SELECT|WITH \w+ AS|INSERT|DELETE|UPDATE|MERGE|TRUNCATE|EXPORT|CREATE|DROP|BEGIN)\s|\bLEFT JOIN \\`|\bEXISTS \(SELECT/;
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|\/testing\//.test(path))
    .filter((path) => sql.test(readFileSync(join(ROOT, path), "utf8")));
}

describe("a statement that changes rows", () => {
  /** Each change in the corpus: its verb, its table, and its text up to the next statement. */
  const changes = FILES.flatMap((file) =>
    [...contentOf(file).matchAll(/^(UPDATE|DELETE FROM|MERGE) `([\w.]+)`[^;]*/gm)].map(([text, verb, table = ""]) => ({
      text,
      verb,
      table,
    })),
  );

  it("leaves what may still be in the streaming buffer, which BigQuery refuses to change", () => {
    const streamed = changes.filter(({ table }) => ["realtime.monitored_maps", "realtime.map_cells"].includes(table));
    expect(streamed.length).toBeGreaterThan(3);
    for (const { text, verb } of streamed)
      expect([verb, text]).toEqual(["DELETE FROM", expect.stringMatching(/\bappended_at < @before\b/)]);
  });

  it("merges only into a table of its own load, which has no partitions: there a MERGE needs no filter of them", () => {
    const merged = changes.filter(({ verb }) => verb === "MERGE").map(({ table }) => table);
    expect(merged.length).toBeGreaterThan(10);
    expect(merged.filter((table) => !/^staging\.import_\w+$/.test(table))).toEqual([]);
  });
});

it("the corpus calls every statement builder and takes every branch of it", async () => {
  const sources = sourcesWithSql("shared");
  expect(sources.length).toBeGreaterThan(10);
  const program = `import { sqlCorpus } from ${JSON.stringify(CORPUS)}; sqlCorpus();`;
  const files = sources.map((path) => join(ROOT, path));
  expect(await unreached(files, program)).toEqual([]);
});

it("functions hold no SQL", () => {
  expect(sourcesWithSql("functions")).toEqual([]);
});

it("only statements of loads and of the auditor name raw counts: those of functions, and customers' views, read what is published", () => {
  const countries = parseCountryTable("infra/countries.json", rules);
  const ofFunctions = [...realtimeFiles(countries), ...lookupFiles(), ...aggregationFiles(countries)];
  const ofLoads = loadFiles();
  const definitions = FILES.filter(({ kind }) => kind === "ddl");
  const known = new Set([...ofFunctions, ...ofLoads, ...privacyFiles(), ...definitions].map(({ name }) => name));
  expect(FILES.filter(({ name }) => !known.has(name))).toEqual([]);
  const views = definitions.filter(({ name }) => name.startsWith("2-view."));
  expect([ofFunctions.length > 50, views.length]).toEqual([true, 2]);
  const namesRaw = ({ statement: { sql } }: SqlFile) => /\b(?:intake|staging)`?\./i.test(sql.replace(/^--.*$/gm, ""));
  expect([...ofFunctions, ...views].filter(namesRaw).map(({ name }) => name)).toEqual([]);
  expect(ofLoads.filter(namesRaw).length).toBeGreaterThan(20);
});

it("every definition of infra/warehouse is in the corpus, customer views with a sample uid", () => {
  const folder = join(ROOT, "infra/warehouse");
  const scripts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".sql"));
  const written = scripts.flatMap((path) => [...readFileSync(join(folder, path), "utf8").matchAll(/^CREATE /gm)]);
  const defined = FILES.filter(({ kind, name }) => kind === "ddl" && !name.includes(".staging.import_")).map(
    ({ statement }) => statement.sql,
  );
  expect(defined).toHaveLength(written.length);
  expect(defined.join("\n")).not.toContain("{uid}");
});

/** Returns a statement's text without comments and quoted text. */
function codeOf({ statement }: SqlFile): string {
  return statement.sql.replace(/^--.*$/gm, "").replace(/"[^"]*"|'[^']*'/g, "''");
}

it("every statement uses exactly its parameters", () => {
  const named = FILES.map((file) => [file.name, [...new Set(codeOf(file).match(/(?<=@)\w+/g))].sort()]);
  expect(named).toEqual(FILES.map(({ name, statement }) => [name, Object.keys(statement.parameters).sort()]));
});

it("no statement contains a parameter's value in its text", () => {
  // Texts contain our table names as identifiers, and may contain short numbers as constants by chance.
  const isDistinct = (value: string) => !/^-?\d{1,2}$/.test(value) && !LOADED_TABLES.some(({ name }) => name === value);
  const holds = (sql: string, value: string) => (/^\w+$/.test(value) ? sql.match(/\w+/g)?.includes(value) : sql.includes(value));
  const held = FILES.flatMap(({ name, statement: { sql, parameters } }) => {
    const values = Object.values(parameters).flatMap(({ value }) => [value].flat().map(String));
    return values.filter((value) => isDistinct(value) && holds(sql, value)).map((value) => `${name}: ${value}`);
  });
  expect(held).toEqual([]);
});

it("a file is one statement, one transaction, or the making and dropping of a load's staging tables", () => {
  const transaction = /^BEGIN TRANSACTION;(.*;)\s+COMMIT TRANSACTION$/s;
  const tables = /^(?:CREATE OR REPLACE TABLE `(staging\.\w+)`[^;]+;\s+)+(?:DROP TABLE `staging\.\w+`;?\s*)+$/;
  const namesIn = (text: string, what: RegExp) => [...text.matchAll(what)].map(([, name]) => name).sort();

  const isOfItsKind = (file: SqlFile) => {
    const code = codeOf(file).trim();
    const ends = code.match(/;(?=\s|$)/g) ?? [];
    if (file.kind !== "script") return ends.length === (file.kind === "ddl" ? 1 : 0);
    const [, work] = transaction.exec(code) ?? [];
    if (work !== undefined) return !/\b(?:CREATE|DROP|TRANSACTION)\b/.test(work);
    const [made, dropped] = [/CREATE OR REPLACE TABLE `([\w.]+)`/g, /DROP TABLE `([\w.]+)`/g].map((what) => namesIn(code, what));
    return tables.test(code) && JSON.stringify(made) === JSON.stringify(dropped);
  };
  expect(FILES.filter((file) => !isOfItsKind(file)).map(({ name }) => name)).toEqual([]);
});

it("every text is within BigQuery's length limit", () => {
  expect(FILES.filter((file) => contentOf(file).length > TEXT_MAX).map(({ name }) => name)).toEqual([]);
});

describe("the local warehouse", () => {
  let warehouse: WarehouseUnderTest;

  beforeAll(async () => {
    warehouse = await startWarehouseUnderTest();
    for (const { kind, statement } of FILES) if (kind === "ddl") await warehouse.applyDdl(statement.sql);
  });

  afterAll(() => warehouse.close());

  it("accepts every statement with its parameters", async () => {
    const errors: unknown[] = [];
    for (const { name, statement } of FILES.filter(({ kind }) => kind !== "ddl")) {
      const options = { ...clientQuery(statement), location: statement.sql.includes("realtime_eu.") ? "EU" : LOCATION, dryRun: true };
      await warehouse.client.createQueryJob(options).catch((error) => errors.push([name, String(error)]));
    }
    expect(errors).toEqual([]);
  });
});
