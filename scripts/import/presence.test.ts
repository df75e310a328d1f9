import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ImportUnderTest, startImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";

const NOW = new Date("2026-03-01T12:02:00Z");
const PRESENCE = "tick,country_code,cell_id,people,devices";
const CELL = 51520004124000;
/** A row of a tick this many minutes before noon. */
const cell = (minutes: number, index: number, devices: number, country = "EST"): string =>
  `${tick(minutes)},${country},${CELL + 250 * index},${devices * 10},${devices}`;
const tick = (minutes: number): string => `${new Date(Date.UTC(2026, 2, 1, 12, -minutes)).toISOString().slice(0, 19)}Z`;

const ROWS = `SELECT FORMAT_TIMESTAMP('%FT%TZ', tick) AS tick, country_code AS country, cell_id - ${CELL} AS cell, people, devices
  FROM mobility.presence WHERE tick > '2026-02-01' ORDER BY 1, 2, 3`;
const LEDGER = `SELECT FORMAT_TIMESTAMP('%FT%TZ', tick) AS tick, country_code AS country, table_name, CAST(batch_date AS STRING) AS date, version, row_count, suppressed_count
  FROM mobility.batches ORDER BY 1, 2, 5`;
const ledgerRow = (minutes: number, version: number, row_count: number, country = "EST") => ({
  tick: tick(minutes),
  country,
  table_name: "presence",
  date: null,
  version,
  row_count,
  suppressed_count: 0,
});

async function warehouse(): Promise<ImportUnderTest> {
  const started = await startImportUnderTest(() => NOW);
  onTestFinished(started.close);
  return started;
}

describe("a file of ticks", () => {
  test("is loaded in time order, tick by tick and country by country, including rows below the threshold", async () => {
    const { run, rows, staged } = await warehouse();
    const file = madeCsv(PRESENCE, cell(0, 0, 8), cell(5, 1, 1), cell(5, 0, 7), cell(5, 0, 30, "UTO"), cell(10, 0, 6));
    expect(await run("presence", "--file", file)).toEqual([
      `Reading ${file} …`,
      "5 rows, 4 batches",
      `Loaded mobility.presence ${tick(10)} EST: 1 row, version 1`,
      `Loaded mobility.presence ${tick(5)} EST: 2 rows, version 1`,
      `Loaded mobility.presence ${tick(5)} UTO: 1 row, version 1`,
      `Loaded mobility.presence ${tick(0)} EST: 1 row, version 1`,
    ]);
    expect(await rows(ROWS)).toEqual([
      { tick: tick(10), country: "EST", cell: 0, people: 60, devices: 6 },
      { tick: tick(5), country: "EST", cell: 0, people: 70, devices: 7 },
      { tick: tick(5), country: "EST", cell: 250, people: 10, devices: 1 },
      { tick: tick(5), country: "UTO", cell: 0, people: 300, devices: 30 },
      { tick: tick(0), country: "EST", cell: 0, people: 80, devices: 8 },
    ]);
    const ledger = await rows(LEDGER);
    expect(ledger).toEqual([ledgerRow(10, 1, 1), ledgerRow(5, 1, 2), ledgerRow(5, 1, 1, "UTO"), ledgerRow(0, 1, 1)]);
    expect(await staged()).toEqual([]);
  });

  test("changes nothing when loaded again, regardless of row order and other ticks in the file", async () => {
    const { run, rows } = await warehouse();
    await run("presence", "--file", madeCsv(PRESENCE, cell(5, 0, 7), cell(5, 1, 9), cell(0, 0, 8)));
    const before = [await rows(ROWS), await rows(LEDGER)];
    const again = madeCsv(PRESENCE, cell(0, 0, 8), cell(5, 1, 9), cell(5, 0, 7));
    expect((await run("presence", "--file", again)).at(-1)).toBe("Nothing to do: 2 batches already loaded as version 1");
    const one = madeCsv("cell_id,devices,people", `${CELL},8,80`);
    const lines = await run("presence", "--file", one, "--set", `tick=${tick(0)}`, "--set", "country_code=EST");
    expect(lines.at(-1)).toBe("Nothing to do: 1 batch already loaded as version 1");
    expect([await rows(ROWS), await rows(LEDGER)]).toEqual(before);
  });

  test("that corrects a tick replaces the whole tick, and no other tick or country", async () => {
    const { run, rows } = await warehouse();
    const first = [cell(10, 0, 6), cell(5, 0, 7), cell(5, 1, 9), cell(5, 0, 30, "UTO"), cell(0, 0, 8)];
    await run("presence", "--file", madeCsv(PRESENCE, ...first));
    const lines = await run("presence", "--file", madeCsv(PRESENCE, cell(0, 0, 8), cell(5, 1, 11)));
    expect(lines.slice(2)).toEqual(["mobility.presence: 1 batch unchanged", `Loaded mobility.presence ${tick(5)} EST: 1 row, version 2`]);
    expect(await rows(ROWS)).toMatchObject([
      { tick: tick(10), country: "EST", cell: 0, devices: 6 },
      { tick: tick(5), country: "EST", cell: 250, devices: 11 },
      { tick: tick(5), country: "UTO", cell: 0, devices: 30 },
      { tick: tick(0), country: "EST", cell: 0, devices: 8 },
    ]);
    expect(await rows(LEDGER)).toEqual([
      ledgerRow(10, 1, 1),
      ledgerRow(5, 1, 2),
      ledgerRow(5, 2, 1),
      ledgerRow(5, 1, 1, "UTO"),
      ledgerRow(0, 1, 1),
    ]);
  });

  test("that restores an earlier content creates a new version", async () => {
    const { run, rows } = await warehouse();
    const [one, other] = [madeCsv(PRESENCE, cell(0, 0, 8)), madeCsv(PRESENCE, cell(0, 0, 9))];
    for (const file of [one, other, one]) await run("presence", "--file", file);
    expect(await rows(LEDGER)).toMatchObject([{ version: 1 }, { version: 2 }, { version: 3 }]);
    expect(await rows(ROWS)).toMatchObject([{ devices: 8 }]);
  });

  test("with a late tick is loaded after newer ones", async () => {
    const { run, rows } = await warehouse();
    await run("presence", "--file", madeCsv(PRESENCE, cell(0, 0, 8)));
    expect((await run("presence", "--file", madeCsv(PRESENCE, cell(5, 0, 7)))).at(-1)).toBe(
      `Loaded mobility.presence ${tick(5)} EST: 1 row, version 1`,
    );
    expect(await rows(ROWS)).toMatchObject([{ devices: 7 }, { devices: 8 }]);
  });

  test("of many ticks reports progress as counts", async () => {
    const { run, rows } = await warehouse();
    await run("presence", "--file", madeCsv(PRESENCE, cell(5, 0, 99)));
    const ticks = Array.from({ length: 25 }, (_, index) => cell(5 * index, 0, 8));
    const lines = await run("presence", "--file", madeCsv(PRESENCE, ...ticks));
    expect(lines.slice(1)).toEqual([
      "25 rows, 25 batches",
      `20 of 25 batches loaded, up to ${tick(25)}`,
      `Loaded mobility.presence ${tick(120)} to ${tick(0)}: 25 batches (1 corrected), 25 rows`,
    ]);
    expect(await rows(LEDGER)).toHaveLength(26);
  });
});

describe("nothing is stored", () => {
  test("of a file with one bad tick", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(PRESENCE, cell(0, 0, 8), cell(1, 0, 8));
    await expect(run("presence", "--file", file)).rejects.toThrow(`line 3, column tick: "${tick(1)}" is not a tick`);
    expect([await rows(ROWS), await rows(LEDGER)]).toEqual([[], []]);
  });

  test("of a tick that fails halfway; earlier ticks are whole, and the same file continues after them", async () => {
    const { run, rows, staged } = await warehouse();
    await run("presence", "--file", madeCsv(PRESENCE, cell(5, 0, 7)));
    await rows("UPDATE mobility.batches SET version = 9223372036854775807 WHERE TRUE");
    const file = madeCsv(PRESENCE, cell(0, 0, 8), cell(5, 0, 9), cell(10, 0, 6));
    await expect(run("presence", "--file", file)).rejects.toThrow();
    expect(await rows(ROWS)).toMatchObject([{ devices: 6 }, { devices: 7 }]);
    expect([(await rows(LEDGER)).length, await staged()]).toEqual([2, []]);
    await rows(`UPDATE mobility.batches SET version = 1 WHERE TRUE`);
    expect((await run("presence", "--file", file)).slice(2)).toEqual([
      "mobility.presence: 1 batch unchanged",
      `Loaded mobility.presence ${tick(5)} EST: 1 row, version 2`,
      `Loaded mobility.presence ${tick(0)} EST: 1 row, version 1`,
    ]);
  });

  test("in a dry run", async () => {
    const { run, rows } = await warehouse();
    await run("presence", "--file", madeCsv(PRESENCE, cell(0, 0, 8)), "--dry-run");
    expect([await rows(ROWS), await rows(LEDGER)]).toEqual([[], []]);
  });
});

describe("concurrent imports of a tick", () => {
  test("leave the rows of one of them", async () => {
    const { run, rows } = await warehouse();
    const files = [7, 8, 9].map((devices) => madeCsv(PRESENCE, cell(0, 0, devices), cell(0, 1, devices)));
    await Promise.all(files.map((file) => run("presence", "--file", file)));
    const found = `SELECT COUNT(*) AS n, COUNT(DISTINCT devices) AS loads FROM mobility.presence WHERE tick = '${tick(0)}'`;
    expect(await rows(found)).toEqual([{ n: 2, loads: 1 }]);
    expect(await rows("SELECT version FROM mobility.batches ORDER BY version")).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
  });

  test("load the same content once", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(PRESENCE, cell(0, 0, 8));
    await Promise.all([run("presence", "--file", file), run("presence", "--file", file)]);
    expect(await rows(LEDGER)).toEqual([ledgerRow(0, 1, 1)]);
    expect(await rows(ROWS)).toHaveLength(1);
  });

  test("that doubled it are fixed by its next load", async () => {
    const { run, rows } = await warehouse();
    const file = madeCsv(PRESENCE, cell(0, 0, 8));
    await run("presence", "--file", file);
    await rows("INSERT INTO mobility.presence SELECT * FROM mobility.presence WHERE tick > '2026-02-01'");
    await rows("INSERT INTO mobility.batches SELECT * FROM mobility.batches");
    expect((await run("presence", "--file", file)).at(-1)).toContain("version 2");
    expect(await rows(ROWS)).toHaveLength(1);
  });
});

test("the contract's script loads the same tick as the command, as its next version", async () => {
  const { run, rows } = await warehouse();
  await run("presence", "--file", madeCsv(PRESENCE, cell(0, 0, 8), cell(0, 1, 9)));
  const [made, [entry]] = [await rows(ROWS), await rows(LEDGER)];
  await rows("CREATE TABLE staging.presence_of_this_load (cell_id INT64, people INT64, devices INT64)");
  await rows(`INSERT INTO staging.presence_of_this_load (cell_id, people, devices) VALUES (${CELL}, 80, 8), (${CELL + 250}, 90, 9)`);
  for (const version of [2, 3]) {
    await rows(contractScript({ tick: `TIMESTAMP '${tick(0)}'`, country: "'EST'", rows: "2", sha256: `'made by version ${version}'` }));
    expect(await rows(ROWS)).toEqual(made);
    expect((await rows(LEDGER)).at(-1)).toEqual({ ...ledgerRow(0, version, 2) });
  }
  expect(entry).toEqual(ledgerRow(0, 1, 2));
});

/** The script in the header of `presence.sql` with its parameters filled in. */
function contractScript(parameters: Readonly<Record<string, string>>): string {
  const header = readFileSync(new URL("../../infra/warehouse/presence.sql", import.meta.url), "utf8");
  const script = header.match(/^-- {3}BEGIN TRANSACTION;$.*^-- {3}COMMIT TRANSACTION;$/ms)?.[0] ?? "";
  return script.replaceAll(/^--/gm, "").replaceAll(/@(\w+)/g, (_, name: string) => parameters[name] ?? `@${name}`);
}
