import { expect, it } from "vitest";
import builtIn from "../../infra/countries.json" with { type: "json" };
import type { Warehouse } from "../google/bigquery.ts";
import { rowsOf } from "../google/statement.ts";
import { openRequest } from "../products/catalogue.ts";
import { parseCountryTable } from "../products/countries.ts";
import type { PreparedRequest } from "../products/product.ts";
import { reservedBytesIn } from "./reserved-bytes.ts";
import { newOdmJob } from "./testing/job-path.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
const TABLES_MIN = 3 * 10 * 1024 * 1024;
const DAYS = ["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"].map((batch_date, index) => ({
  batch_date,
  bytes: 10 ** (index + 1),
}));

/** Returns a prepared request of one civil day of Estonia, 18 November, and the first hours of the next. */
function prepared(full: boolean): PreparedRequest {
  const rules = parseCountryTable("infra/countries.json", builtIn).EST;
  const opened = rules && openRequest({ ...newOdmJob("id", "acme", full, true, NOW).request }, rules);
  if (!opened) throw new Error("Estonia offers no matrix");
  return opened;
}

/** A warehouse whose ledger has four days. `asked` are the customers that asked it. */
function ledger(fails = false) {
  const asked: string[] = [];
  const query: Warehouse["query"] = async (statement, labels) => {
    asked.push(String(labels.customer));
    if (fails) throw new Error("The warehouse is down");
    return rowsOf(statement, DAYS);
  };
  return { asked, reservedBytes: reservedBytesIn({ query }) };
}

it("a job reserves the bytes of its days in the ledger once for each scan, and what empty queries are billed", async () => {
  const { reservedBytes } = ledger();
  const reserve = (full: boolean) => reservedBytes(prepared(full), "acme", NOW, () => undefined);
  // The window of the request begins and ends at midnight UTC, so it overlaps two civil days of Estonia.
  expect(await reserve(false)).toBe(TABLES_MIN + 100 + 1000);
  expect(await reserve(true)).toBe(2 * (TABLES_MIN + 100 + 1000));
});

it("the ledger is read once in five minutes, labelled with the customer that asked first", async () => {
  const { asked, reservedBytes } = ledger();
  const reserve = (uid: string, seconds: number) =>
    reservedBytes(prepared(true), uid, new Date(NOW.getTime() + 1000 * seconds), () => undefined);
  await Promise.all([reserve("acme", 0), reserve("globex", 0), reserve("globex", 299)]);
  expect(asked).toEqual(["acme"]);
  await reserve("globex", 300);
  expect(asked).toEqual(["acme", "globex"]);
});

it("a job reserves ten gigabytes when the ledger does not answer, which is logged, and the next asks again", async () => {
  const { asked, reservedBytes } = ledger(true);
  const logged: string[] = [];
  const reserve = () => reservedBytes(prepared(true), "acme", NOW, (severity) => logged.push(severity));
  expect([await reserve(), await reserve()]).toEqual([10_000_000_000, 10_000_000_000]);
  expect([asked.length, logged]).toEqual([2, ["WARNING", "WARNING"]]);
});
