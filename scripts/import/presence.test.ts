import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ImportUnderTest, startImportUnderTest } from "./testing/import-under-test.ts";
import { madeCsv } from "./testing/made-files.ts";

const NOW = new Date("2026-03-01T12:02:00Z");
const PRESENCE = "tick,country_code,cell_id,people,devices";
const CELL = 51520004124000;
/** A row of a tick this many minutes before noon, with 10 people for each three devices. */
const cell = (minutes: number, index: number, devices: number, country = "EST"): string =>
  `${tick(minutes)},${country},${CELL + 250 * index},${peopleOf(devices)},${devices}`;
const peopleOf = (devices: number): number => Math.floor((devices * 10) / 3);
const tick = (minutes: number): string => `${new Date(Date.UTC(2026, 2, 1, 12, -minutes)).toISOString().slice(0, 19)}Z`;

const ROWS = `SELECT FORMAT_TIMESTAMP('%FT%TZ', tick) AS tick, country_code AS country, cell_id - ${CELL} AS cell, people, devices
  FROM intake.presence WHERE tick > '2026-02-01' ORDER BY 1, 2, 3`;
const PUBLISHED = `SELECT FORMAT_TIMESTAMP('%FT%TZ', tick) AS tick, country_code AS country, cell_id - ${CELL} AS cell, people
  FROM realtime.presence WHERE tick > '2026-02-01' ORDER BY 1, 2, 3`;
const ledgerOf = (
  dataset: string,
): string => `SELECT FORMAT_TIMESTAMP('%FT%TZ', tick) AS tick, country_code AS country, table_name, CAST(batch_date AS STRING) AS date, version, row_count
  FROM ${dataset}.batches ORDER BY 1, 2, 5`;
const LEDGER = ledgerOf("intake");
const ledgerRow = (minutes: number, version: number, row_count: number, country = "EST") => ({
  tick: tick(minutes),
  country,
  table_name: "presence",
  date: null,
  version,
  row_count,
});

async function warehouse(): Promise<ImportUnderTest> {
  const started = await startImportUnderTest(() => NOW);
  onTestFinished(started.close);
  return started;
}

describe("a file of ticks", () => {
  test("is loaded in time order, tick by tick and country by country, including rows below the threshold, and published without these", async () => {
    const { run, rows, staged } = await warehouse();
    const file = madeCsv(PRESENCE, cell(0, 0, 8), cell(5, 1, 1), cell(5, 0, 7), cell(5, 0, 30, "UTO"), cell(10, 0, 6));
    expect(await run("presence", "--file", file)).toEqual([
      `Reading ${file} …`,
      "5 rows, 4 batches",
      `Loaded intake.presence ${tick(10)} EST: 1 row`,
      `Loaded intake.presence ${tick(5)} EST: 2 rows`,
      `Loaded intake.presence ${tick(5)} UTO: 1 row`,
      `Loaded intake.presence ${tick(0)} EST: 1 row`,
    ]);
    expect(await rows(ROWS)).toEqual([
      { tick: tick(10), country: "EST", cell: 0, people: 20, devices: 6 },
      { tick: tick(5), country: "EST", cell: 0, people: 23, devices: 7 },
      { tick: tick(5), country: "EST", cell: 250, people: 3, devices: 1 },
      { tick: tick(5), country: "UTO", cell: 0, people: 100, devices: 30 },
      { tick: tick(0), country: "EST", cell: 0, people: 26, devices: 8 },
    ]);
    expect(await rows(PUBLISHED)).toEqual([
      { tick: tick(10), country: "EST", cell: 0, people: 20 },
      { tick: tick(5), country: "EST", cell: 0, people: 20 },
      { tick: tick(5), country: "UTO", cell: 0, people: 80 },
      { tick: tick(0), country: "EST", cell: 0, people: 20 },
    ]);
    expect(await rows(LEDGER)).toEqual([ledgerRow(10, 1, 1), ledgerRow(5, 1, 2), ledgerRow(5, 1, 1, "UTO"), ledgerRow(0, 1, 1)]);
    expect(await rows(ledgerOf("mobility"))).toEqual([
      ledgerRow(10, 1, 1),
      ledgerRow(5, 1, 1),
      ledgerRow(5, 1, 1, "UTO"),
      ledgerRow(0, 1, 1),
    ]);
    expect(await staged()).toEqual([]);
  });

  test("changes nothing when loaded again, regardless of row order and other ticks in the file", async () => {
    const { run, rows } = await warehouse();
    await run("presence", "--file", madeCsv(PRESENCE, cell(5, 0, 7), cell(5, 1, 9), cell(0, 0, 8)));
    const before = [await rows(ROWS), await rows(LEDGER)];
    const again = madeCsv(PRESENCE, cell(0, 0, 8), cell(5, 1, 9), cell(5, 0, 7));
    expect((await run("presence", "--file", again)).at(-1)).toBe("Nothing to do: 2 batches already loaded");
    const one = madeCsv("cell_id,devices,people", `${CELL},8,${peopleOf(8)}`);
    const lines = await run("presence", "--file", one, "--set", `tick=${tick(0)}`, "--set", "country_code=EST");
    expect(lines.at(-1)).toBe("Nothing to do: 1 batch already loaded");
    expect([await rows(ROWS), await rows(LEDGER)]).toEqual(before);
  });

  test("that corrects a tick replaces the whole tick, and no other tick or country", async () => {
    const { run, rows } = await warehouse();
    const first = [cell(10, 0, 6), cell(5, 0, 7), cell(5, 1, 9), cell(5, 0, 30, "UTO"), cell(0, 0, 8)];
    await run("presence", "--file", madeCsv(PRESENCE, ...first));
    const lines = await run("presence", "--file", madeCsv(PRESENCE, cell(0, 0, 8), cell(5, 1, 14)));
    expect(lines.slice(2)).toEqual(["intake.presence: 1 batch unchanged", `Loaded intake.presence ${tick(5)} EST: 1 row, load 2`]);
    expect(await rows(ROWS)).toMatchObject([
      { tick: tick(10), country: "EST", cell: 0, devices: 6 },
      { tick: tick(5), country: "EST", cell: 250, devices: 14 },
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

  test("that restores an earlier content is a new load; the published version rises only if published cells change", async () => {
    const { run, rows } = await warehouse();
    const [one = "", other = "", more = ""] = [8, 9, 14].map((devices) => madeCsv(PRESENCE, cell(0, 0, devices)));
    for (const file of [one, other, one, more, one]) await run("presence", "--file", file);
    expect(await rows(LEDGER)).toMatchObject([1, 2, 3, 4, 5].map((version) => ({ version })));
    expect(await rows(ledgerOf("mobility"))).toMatchObject([{ version: 1 }, { version: 2 }, { version: 3 }]);
    expect([await rows(ROWS), await rows(PUBLISHED)]).toMatchObject([[{ devices: 8 }], [{ people: 20 }]]);
  });

  test("is loaded again under new rules of its country", async () => {
    const { run, rows, setCountries } = await warehouse();
    const file = madeCsv(PRESENCE, cell(0, 0, 8), cell(0, 1, 30));
    await run("presence", "--file", file);
    setCountries(({ EST, ...others }) => ({ ...others, EST: { ...EST, k: 10 } }));
    expect((await run("presence", "--file", file)).at(-1)).toBe(`Loaded intake.presence ${tick(0)} EST: 2 rows, load 2`);
    expect(await rows(PUBLISHED)).toMatchObject([{ cell: 250 }]);
  });

  test("with a late tick is loaded after newer ones", async () => {
    const { run, rows } = await warehouse();
    await run("presence", "--file", madeCsv(PRESENCE, cell(0, 0, 8)));
    expect((await run("presence", "--file", madeCsv(PRESENCE, cell(5, 0, 7)))).at(-1)).toBe(`Loaded intake.presence ${tick(5)} EST: 1 row`);
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
      `Loaded intake.presence ${tick(120)} to ${tick(0)}: 25 batches (1 corrected), 25 rows`,
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
    await rows("UPDATE intake.batches SET version = 9223372036854775807 WHERE TRUE");
    const file = madeCsv(PRESENCE, cell(0, 0, 8), cell(5, 0, 12), cell(10, 0, 6));
    await expect(run("presence", "--file", file)).rejects.toThrow();
    expect(await rows(ROWS)).toMatchObject([{ devices: 6 }, { devices: 7 }]);
    expect([(await rows(LEDGER)).length, await staged()]).toEqual([2, []]);
    await rows("UPDATE intake.batches SET version = 1 WHERE TRUE");
    expect((await run("presence", "--file", file)).slice(2)).toEqual([
      "intake.presence: 1 batch unchanged",
      `Loaded intake.presence ${tick(5)} EST: 1 row, load 2`,
      `Loaded intake.presence ${tick(0)} EST: 1 row`,
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
    const files = [7, 12, 17].map((devices) => madeCsv(PRESENCE, cell(0, 0, devices), cell(0, 1, devices)));
    await Promise.all(files.map((file) => run("presence", "--file", file)));
    const found = `SELECT COUNT(*) AS n, COUNT(DISTINCT devices) AS loads FROM intake.presence WHERE tick = '${tick(0)}'`;
    expect(await rows(found)).toEqual([{ n: 2, loads: 1 }]);
    expect(await rows("SELECT version FROM intake.batches ORDER BY version")).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
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
    for (const table of ["intake.presence", "realtime.presence"])
      await rows(`INSERT INTO ${table} SELECT * FROM ${table} WHERE tick > '2026-02-01'`);
    for (const table of ["intake.batches", "mobility.batches"]) await rows(`INSERT INTO ${table} SELECT * FROM ${table}`);
    expect((await run("presence", "--file", file)).at(-1)).toContain("load 2");
    expect([await rows(ROWS), await rows(PUBLISHED)]).toMatchObject([[{ devices: 8 }], [{ people: 20 }]]);
  });
});

test("the script of the contract loads a tick as the command does, and publishes the same", async () => {
  const { run, rows } = await warehouse();
  await run("presence", "--file", madeCsv(PRESENCE, cell(0, 0, 8), cell(0, 1, 9), cell(0, 2, 4)));
  const made = [await rows(ROWS), await rows(PUBLISHED)];
  await rows(
    "CREATE TABLE staging.presence_of_this_load (tick TIMESTAMP, country_code STRING, cell_id INT64, people INT64, devices INT64)",
  );
  const values = [8, 9, 4].map((devices, index) => `('${tick(0)}', 'EST', ${CELL + 250 * index}, ${peopleOf(devices)}, ${devices})`);
  for (const checksum of ["mine", "mine", "corrected"]) {
    await rows(`INSERT INTO staging.presence_of_this_load (tick, country_code, cell_id, people, devices) VALUES ${values.join(", ")}`);
    await rows(
      contractScript({
        tick: `TIMESTAMP '${tick(0)}'`,
        country: "'EST'",
        k: "5",
        step: "20",
        protected: "FALSE",
        strict: "FALSE",
        checksum: `'${checksum}'`,
      }),
    );
    await rows("DELETE FROM staging.presence_of_this_load WHERE TRUE");
    expect([await rows(ROWS), await rows(PUBLISHED)]).toEqual(made);
  }
  expect(await rows(LEDGER)).toEqual([ledgerRow(0, 1, 3), ledgerRow(0, 2, 3), ledgerRow(0, 3, 3)]);
  expect(await rows(ledgerOf("mobility"))).toEqual([ledgerRow(0, 1, 2)]);
});

/** The script that the header of `presence.sql` names, with its parameters filled in. */
function contractScript(parameters: Readonly<Record<string, string>>): string {
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const path = read("infra/warehouse/presence.sql").match(/`(infra\/generated\/sql\/[\w-]+\.sql)`/)?.[1] ?? "";
  const script = read(path)
    .replaceAll(/^--.*$/gm, "")
    .replaceAll("staging.import_presence", "staging.presence_of_this_load");
  return script.replaceAll(/@(\w+)/g, (_, name: string) => parameters[name] ?? `@${name}`);
}
