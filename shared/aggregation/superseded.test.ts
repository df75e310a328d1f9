import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { rowsOf, type Statement } from "../google/statement.ts";
import type { ProductQuery } from "../products/product-query.ts";
import { openDataVersions } from "./superseded.ts";

/** A query of a fact table for a window of days. */
function queryOf(table: string, first: string): ProductQuery {
  const dates = { first_date: { type: "DATE", value: first }, last_date: { type: "DATE", value: "2026-11-20" } } as const;
  const parameters = { country_code: { type: "STRING", value: "EST" }, ...dates } as const;
  return { table, row: v.unknown(), ctes: "", columns: [], order: [], ids: [], parameters };
}

/** A ledger whose version counts its loads, with what was asked of the warehouse. */
function opened() {
  const ledger = { loads: 1 };
  const asked: string[] = [];
  const tableState = async (dataset: string, table: string) => `${dataset}.${table} after ${ledger.loads} loads`;
  const read = openDataVersions(tableState, {
    queryOne: async <Row>(statement: Statement<Row>, { customer }: { customer: string }) => {
      asked.push(`${customer} ${statement.parameters.first_date?.value}`);
      const [row] = rowsOf(statement, [{ data_versions: [{ batch_date: "2026-11-19", version: ledger.loads }] }]);
      if (row === undefined) throw new Error("rowsOf returned no row");
      return row;
    },
  });
  const ask = async ({ table = "activities_daily", first = "2026-11-18", customer = "acme" } = {}) =>
    (await read(queryOf(table, first), { customer })).map(({ version }) => version);
  return { ledger, asked, ask };
}

describe("data versions", () => {
  it("are queried once until the ledger changes", async () => {
    const { ledger, asked, ask } = opened();
    expect([await ask(), await ask()]).toEqual([[1], [1]]);
    ledger.loads = 2;
    expect([await ask(), await ask()]).toEqual([[2], [2]]);
    expect(asked).toEqual(["acme 2026-11-18", "acme 2026-11-18"]);
  });

  it("are of a table and a window, and each customer's own", async () => {
    const { asked, ask } = opened();
    for (const one of [{}, { first: "2026-11-17" }, { customer: "globex" }, { table: "odm_daily" }, {}]) await ask(one);
    expect(asked).toEqual(["acme 2026-11-18", "acme 2026-11-17", "globex 2026-11-18", "acme 2026-11-18"]);
  });

  it("are forgotten, the oldest first, beyond a thousand", async () => {
    const { asked, ask } = opened();
    for (let number = 0; number <= 1000; number++) await ask({ customer: `customer${number}` });
    await ask({ customer: "customer1" });
    expect(asked).toHaveLength(1001);
    await ask({ customer: "customer0" });
    expect(asked).toHaveLength(1002);
  });
});
