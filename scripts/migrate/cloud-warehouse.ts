import type { BigQuery } from "@google-cloud/bigquery";
import * as v from "valibot";
import { LEDGER, type MigratedWarehouse } from "../../infra/migrations/apply-migrations.ts";

const Ledger = v.array(v.object({ number: v.number(), checksum: v.string() }));

/** Opens the warehouse of a client for migrations. No location is sent: BigQuery runs a statement where its table is. */
export function cloudWarehouse(bigquery: BigQuery): MigratedWarehouse {
  return {
    has: async (table) => {
      const [dataset = "", name = ""] = table.split(".");
      return (await bigquery.dataset(dataset).table(name).exists())[0];
    },
    run: async (sql) => void (await bigquery.query(sql)),
    ledger: async () => v.parse(Ledger, (await bigquery.query(`SELECT number, checksum FROM ${LEDGER}`))[0]),
  };
}
