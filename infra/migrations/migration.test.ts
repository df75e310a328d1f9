import { describe, expect, it } from "vitest";
import { type MigrationFile, parseMigrations } from "./migration.ts";

const ADD = "ALTER TABLE mobility.batches ADD COLUMN IF NOT EXISTS";
const file = (text: string, name = "001-provider.sql"): MigrationFile => ({ file: name, text });

describe("migrations", () => {
  it("are statements that add columns to tables, in the order of their numbers", () => {
    const second = file("-- why\nALTER TABLE intake.batches ADD COLUMN IF NOT EXISTS bytes INT64;", "002-bytes.sql");
    const first = file(`${ADD} provider STRING OPTIONS (description = 'Who'), ADD COLUMN IF NOT EXISTS rank FLOAT64;\n${ADD} day DATE`);
    expect(parseMigrations([second, first])).toMatchObject([
      {
        number: 1,
        name: "001-provider",
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        steps: [
          {
            sql: expect.stringMatching(/^ALTER .*FLOAT64;$/),
            table: "mobility.batches",
            columns: [
              { name: "provider", type: "STRING", mode: "NULLABLE", description: "Who" },
              { name: "rank", type: "FLOAT", mode: "NULLABLE" },
            ],
          },
          { sql: `${ADD} day DATE`, table: "mobility.batches", columns: [{ name: "day", type: "DATE" }] },
        ],
      },
      { number: 2, name: "002-bytes", steps: [{ sql: expect.stringMatching(/^ALTER/), table: "intake.batches" }] },
    ]);
  });

  it("may be none", () => {
    expect(parseMigrations([])).toEqual([]);
  });

  it.each([
    [`${ADD} x INT64 NOT NULL`, "mobility.batches.x: must be NULLABLE"],
    ["ALTER TABLE mobility.batches ADD COLUMN x INT64", "mobility.batches.x: must be added IF NOT EXISTS"],
    [`${ADD} x ARRAY<INT64>`, "mobility.batches.x: must be of a scalar type"],
    [`${ADD} x STRUCT<y INT64>`, "mobility.batches.x: must be of a scalar type"],
    [`${ADD} x NOTYPE`, "mobility.batches.x: must be of a scalar type"],
    [`${ADD} x INT64 DEFAULT 1`, "DEFAULT"],
    ["ALTER TABLE mobility.batches DROP COLUMN version", "ALTER TABLE DROP"],
    ["DROP TABLE mobility.batches", "statement 1: only ALTER TABLE dataset.table ADD COLUMN IF NOT EXISTS name TYPE is allowed"],
    [`${ADD} x INT64; DELETE FROM mobility.batches WHERE TRUE`, "statement 2: only ALTER TABLE"],
    ["ALTER TABLE other.mobility.batches ADD COLUMN IF NOT EXISTS x INT64", "statement 1: only ALTER TABLE dataset.table"],
    ["ALTER TABLE batches ADD COLUMN IF NOT EXISTS x INT64", "statement 1: only ALTER TABLE dataset.table"],
    ["-- nothing", "only ALTER TABLE dataset.table"],
  ])("refuse %s", (text, fault) => {
    expect(() => parseMigrations([file(text)])).toThrow(fault);
  });

  it.each([
    ["001_provider.sql", "001_provider.sql: must be named 001-words.sql"],
    ["002-provider.sql", "002-provider.sql: must be named 001-words.sql: migrations are numbered from 001 without gaps"],
    ["1-provider.sql", "must be named 001-words.sql"],
  ])("refuse the name %s", (name, fault) => {
    expect(() => parseMigrations([file(`${ADD} x INT64`, name)])).toThrow(fault);
  });

  it("refuse two with one number", () => {
    const files = ["001-a.sql", "001-b.sql"].map((name) => file(`${ADD} x INT64`, name));
    expect(() => parseMigrations(files)).toThrow("001-b.sql: must be named 002-words.sql");
  });
});
