import { describe, expect, it } from "vitest";
import { callInProcess } from "../../infra/testing/in-process.ts";
import { call, keyOf, newCustomer, runJob } from "../../infra/testing/service.ts";
import { openWarehouse } from "../../shared/google/bigquery.ts";
import { NoRow, statement } from "../../shared/google/statement.ts";
import { openTableState } from "../../shared/google/table-state.ts";
import { config } from "../../shared/runtime/config.ts";
import results from "./results.ts";

const customer = await newCustomer({ countries: ["LTU"], defaultCountry: "LTU" });
const key = keyOf(customer);
const body = {
  agg_type: "activities",
  measure: "stays_count",
  activity_type: "daily",
  geo_type: "admin_level_2",
  start_time: "2021-05-01T00:00:00+03:00",
  end_time: "2021-05-03T00:00:00+03:00",
};

/** Adds a batch to the ledger, as a load does. */
async function load(date: string, table = "activities_daily"): Promise<void> {
  const sql = `INSERT INTO \`mobility.batches\` (country_code, table_name, batch_date, tick, version, row_count, loaded_at)
SELECT "LTU", @table_name, @batch_date, CAST(NULL AS TIMESTAMP), COALESCE(MAX(version), 0) + 1, 0, CURRENT_TIMESTAMP()
FROM \`mobility.batches\`
WHERE country_code = "LTU" AND table_name = @table_name AND batch_date = @batch_date`;
  const parameters = { table_name: { type: "STRING", value: table }, batch_date: { type: "DATE", value: date } } as const;
  await openWarehouse(config()).query(statement(NoRow, sql, parameters), { customer: "all" });
}

async function supersededOf(id: string): Promise<unknown> {
  const answer = await call("data", "GET", `/data-agg/results/${id}`, { key });
  expect(answer).toMatchObject({ status: 200 });
  return Object(answer.body).superseded;
}

describe("results", () => {
  it("are superseded once a date of their window has been loaded again", async () => {
    await load("2021-05-01");
    const { id } = await runJob(key, body);
    expect(await supersededOf(id)).toBe(false);
    await load("2021-05-03");
    await load("2021-05-01", "odm_daily");
    expect(await supersededOf(id)).toBe(false);
    await load("2021-05-01");
    expect(await supersededOf(id)).toBe(true);
    const { id: again } = await runJob(key, body);
    expect(await supersededOf(again)).toBe(false);
  });

  it("are compared with the ledger again after every load: each changes its state", async () => {
    const tableState = openTableState(config());
    const states = [await tableState("mobility", "batches")];
    for (const date of ["2021-07-01", "2021-07-02", "2021-07-02"]) {
      await load(date);
      states.push(await tableState("mobility", "batches"));
    }
    expect(new Set(states).size).toBe(4);
  });

  it("are returned even while the warehouse is down; superseded is unknown then", async () => {
    const { id } = await runJob(key, { ...body, start_time: "2021-06-01", end_time: "2021-06-02" });
    const down = { ...config(), addresses: { ...config().addresses, bigquery: "http://127.0.0.1:1" } };
    const path = `/data-agg/results/${id}`;
    expect(await callInProcess({ endpoint: results, config: down, key, path })).toMatchObject({
      job_id: id,
      status: "completed",
      superseded: null,
    });
  });
});
