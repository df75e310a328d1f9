import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { Labels } from "../google/bigquery.ts";
import { rowsOf, type Statement, statement } from "../google/statement.ts";
import { recentRows } from "./recent-rows.ts";

const Row = v.pipe(
  v.object({ link: v.string() }),
  v.transform(({ link }) => ({ link: `link ${link}` })),
);
const near = (lat: number) => statement(Row, "SELECT @lat", { lat: { type: "FLOAT64", value: lat } });

/** A query that answers with its number, with the clock that decides how long answers are kept. */
function opened() {
  const clock = { now: new Date("2026-11-20T12:00:00Z") };
  const asked: string[] = [];
  const query = async <R>(one: Statement<R>, { customer }: Labels) => {
    asked.push(`${customer} ${one.parameters.lat?.value}`);
    return rowsOf(one, [{ link: String(asked.length) }]);
  };
  const recent = recentRows(query, () => clock.now);
  const ask = async (lat: number, customer = "acme", job = "a") => (await recent(near(lat), { customer, job }))[0]?.link;
  return { clock, asked, ask };
}

describe("recent rows", () => {
  it("answer the same question of the same customer for five minutes, parsed each time", async () => {
    const { clock, asked, ask } = opened();
    expect([await ask(59.4), await ask(59.4, "acme", "b"), await ask(59.5)]).toEqual(["link 1", "link 1", "link 2"]);
    clock.now = new Date("2026-11-20T12:04:59Z");
    expect(await ask(59.4)).toBe("link 1");
    clock.now = new Date("2026-11-20T12:05:00Z");
    expect(await ask(59.4)).toBe("link 3");
    expect(asked).toEqual(["acme 59.4", "acme 59.5", "acme 59.4"]);
  });

  it("are each customer's own", async () => {
    const { asked, ask } = opened();
    for (const customer of ["acme", "globex", "acme"]) await ask(59.4, customer);
    expect(asked).toEqual(["acme 59.4", "globex 59.4"]);
  });

  it("are kept for the last thousand questions", async () => {
    const { asked, ask } = opened();
    for (let lat = 0; lat <= 1000; lat++) await ask(lat);
    await ask(1000);
    await ask(0);
    expect(asked.slice(-2)).toEqual(["acme 1000", "acme 0"]);
  });
});
