import { describe, expect, test } from "vitest";
import { loadTickStatement, tickLedgerStatement } from "./load-tick.ts";

const LOAD = {
  staging: "staging.import_1",
  columns: ["tick", "country_code", "cell_id", "people", "devices"],
  country: "EST",
  tick: "2026-03-01T12:00:00Z",
  checksum: "ab12",
};
const statements = loadTickStatement(LOAD)
  .sql.split(";")
  .map((text) => text.trim());

describe("the script of a tick", () => {
  test("is one transaction that ends with the ledger", () => {
    expect(statements[0]).toBe("BEGIN TRANSACTION");
    expect(statements.at(-1)).toBe("COMMIT TRANSACTION");
    expect(statements.slice(1, -1).map((text) => text.split("`")[1])).toEqual([
      "staging.import_1",
      "mobility.presence",
      "mobility.presence",
      "mobility.batches",
    ]);
  });

  test("deletes by constants, which prune to the partition and cluster of the tick", () => {
    expect(statements[2]).toContain("DELETE FROM `mobility.presence`\nWHERE tick = @tick AND country_code = @country AND ");
  });

  test("passes all values as parameters", () => {
    const { sql, parameters } = loadTickStatement({ ...LOAD, country: "'; DROP" });
    expect(sql).not.toMatch(/DROP|2026-03|ab12/);
    expect([...new Set(sql.match(/(?<=@)\w+/g))].sort()).toEqual(Object.keys(parameters).sort());
  });
});

test("the ledger of ticks is filtered by constants", () => {
  const { sql, parameters } = tickLedgerStatement({ countries: ["EST", "UTO"], first: LOAD.tick, last: "2026-03-01T12:05:00Z" });
  expect(sql).toContain("country_code IN (@country_0, @country_1) AND tick BETWEEN @first_tick AND @last_tick");
  expect(sql).not.toMatch(/UTO|2026-03/);
  expect([...new Set(sql.match(/(?<=@)\w+/g))].sort()).toEqual(Object.keys(parameters).sort());
});
