import { expect, it } from "vitest";
import { parseMigrations } from "./migration.ts";
import { type DefinedTables, growthFaults, released } from "./released.ts";

type Column = DefinedTables[string]["schema"][number];
const column = (name: string, type = "INTEGER", mode = "NULLABLE"): Column => ({ name, type, mode });
const ID = column("id", "INTEGER", "REQUIRED");
const DAY = { field: "day", type: "DAY" };
const table = (...schema: Column[]): DefinedTables => ({ "facts.trips": { partition: DAY, clustering: ["id"], schema } });
const migrations = (...texts: readonly string[]) =>
  parseMigrations(texts.map((text, index) => ({ file: `00${index + 1}-more.sql`, text: `ALTER TABLE facts.trips ${text}` })));

const BEFORE = table(ID, column("day", "DATE"));
const RELEASED = released(BEFORE, []);
const NAME = migrations("ADD COLUMN IF NOT EXISTS name STRING");

it("tables that are as released have no fault, nor have new tables and other descriptions", () => {
  expect(growthFaults(RELEASED, BEFORE, [])).toEqual([]);
  const described = table({ ...ID, description: "The id" }, column("day", "DATE"));
  expect(growthFaults(RELEASED, { ...described, "facts.new": { partition: null, clustering: [], schema: [ID] } }, [])).toEqual([]);
});

it("a new NULLABLE column needs a migration that adds it, with its type", () => {
  const after = table(ID, column("day", "DATE"), column("name", "STRING"));
  expect(growthFaults(RELEASED, after, NAME)).toEqual([]);
  expect(growthFaults(RELEASED, after, [])).toEqual([expect.stringMatching(/^facts\.trips\.name: no migration adds it; write one/)]);
  expect(growthFaults(RELEASED, after, migrations("ADD COLUMN IF NOT EXISTS name INT64"))).toEqual([
    expect.stringContaining("001-more: adds facts.trips.name INTEGER, which infra/warehouse does not define"),
  ]);
  const required = table(ID, column("day", "DATE"), column("name", "STRING", "REQUIRED"));
  expect(growthFaults(RELEASED, required, NAME)).toHaveLength(1);
});

it.each([
  ["a removed table", {}, "facts.trips: a released table is removed"],
  ["a removed column", table(ID), "facts.trips.day: a released column is removed"],
  ["another type", table(ID, column("day", "TIMESTAMP")), "changed from DATE NULLABLE to TIMESTAMP NULLABLE"],
  ["NOT NULL", table(ID, column("day", "DATE", "REQUIRED")), "changed from DATE NULLABLE to DATE REQUIRED"],
  ["no NOT NULL", table(column("id"), column("day", "DATE")), "changed from INTEGER REQUIRED to INTEGER NULLABLE"],
  [
    "other partitions",
    { "facts.trips": { partition: null, clustering: ["id"], schema: [ID, column("day", "DATE")] } },
    "facts.trips: the partitioning or clustering of a released table is changed",
  ],
])("%s of a released table is a fault", (_what, after: DefinedTables, fault) => {
  expect(growthFaults(RELEASED, after, [])).toEqual([expect.stringContaining(fault)]);
});

it("a part of a released struct is kept, too", () => {
  const cells = (type: string): Column => ({ ...column("cells", "RECORD", "REPEATED"), fields: [column("cell", type)] });
  expect(growthFaults(released(table(ID, cells("INTEGER")), []), table(ID, cells("STRING")), [])).toHaveLength(1);
});

it("a released migration is neither changed nor removed", () => {
  const after = table(ID, column("day", "DATE"), column("name", "STRING"));
  const before = released(after, NAME);
  expect(growthFaults(before, after, NAME)).toEqual([]);
  const fault = "001-more: a released migration is changed or removed; restore it, and put the change into a new one";
  expect(growthFaults(before, after, [])).toEqual([fault]);
  expect(growthFaults(before, after, migrations("ADD COLUMN IF NOT EXISTS name STRING -- again"))).toEqual([fault]);
});
