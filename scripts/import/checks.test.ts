import { quotedString } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Column } from "../../shared/google/columns.ts";
import { checkOf } from "./checks.ts";
import { openDuckDb } from "./duckdb-session.ts";

const column = (name: string, type: Column["type"]): Column => ({ name, type, required: true });
const DIGITS = fc.stringMatching(/^[-+]?[0-9]{1,18}(\.[0-9]{0,3})?([eE_][-+]?[0-9]{1,3})?$/);
const WHOLE = fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n })).map(String);
const DATE = fc.stringMatching(/^([0-9]{4}|19[67][0-9]|999[89])-[01]?[0-9]-[0-3]?[0-9]$/);
const TIME = fc.stringMatching(/^[T ][0-2]?[0-9]:[0-5][0-9](:[0-5][0-9](\.[0-9]{1,3})?)?( ?(Z|UTC|\+01|-05:30))?$/);
const ODD = fc.constantFrom("", " ", "nan", "inf", "-inf", "infinity", "epoch", "0x10", "1e2", "1_000", " 7", "7 ", "true", "1,5");
const TEXTS = fc.oneof(
  DIGITS,
  WHOLE,
  fc.double().map(String),
  DATE,
  fc.tuple(DATE, TIME).map((parts) => parts.join("")),
  ODD,
);

test.each([
  column("devices", "INT64"),
  column("direction", "INT64"),
  column("average_speed_kmh", "FLOAT64"),
  column("lat", "FLOAT64"),
  column("weight", "FLOAT64"),
  column("batch_date", "DATE"),
  column("time_bucket", "TIMESTAMP"),
])("what the plain test of $name accepts, the check accepts, with the same value", async (of) => {
  const { fault, value, plain } = checkOf(of, "text", []);
  if (!plain) throw new Error("the column has no plain test");
  const duckdb = await openDuckDb();
  onTestFinished(duckdb.close);
  const texts = fc
    .sample(TEXTS, { seed: 1, numRuns: 4000 })
    .concat("2026-03-01", "2026-03-01T10:00:00Z", "1970-01-01T00:00:00Z", "0.5", "-1");
  await duckdb.run(`CREATE TABLE texts AS SELECT unnest([${texts.map(quotedString).join(", ")}]) AS text`);
  const parsed = `SELECT text, ${plain.parsed} AS parsed FROM texts`;
  const accepted = `SELECT text, ${plain.value("parsed")} AS plain, ${value} AS value, ${fault} AS fault FROM (${parsed}) WHERE ${plain.isSound("parsed")}`;
  expect(await duckdb.rows(`FROM (${accepted}) WHERE fault IS NOT NULL OR plain IS DISTINCT FROM value`)).toEqual([]);
  expect(await duckdb.rows(`SELECT count(*) > 0 AS some FROM (${accepted})`)).toEqual([{ some: true }]);
});
