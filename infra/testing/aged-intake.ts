import { FACT_TABLES } from "../../shared/products/catalogue.ts";
import { INTAKE_DAYS } from "../../shared/publishing/ledger.ts";

/**
 * Makes all raw rows and their ledger older by days, and removes those whose partition is over its expiry. The clock of the local BigQuery's
 * SQL is the machine's.
 * @param run runs a GoogleSQL statement
 */
export async function ageIntake(run: (sql: string) => Promise<unknown>, days: number): Promise<void> {
  await run(`UPDATE intake.batches SET loaded_at = TIMESTAMP_SUB(loaded_at, INTERVAL ${days * 24} HOUR) WHERE TRUE`);
  for (const { name } of FACT_TABLES) {
    await run(`UPDATE intake.${name} SET loaded_on = DATE_SUB(loaded_on, INTERVAL ${days} DAY) WHERE loaded_on > "1970-01-01"`);
    await run(`DELETE FROM intake.${name} WHERE loaded_on <= DATE_SUB(CURRENT_DATE(), INTERVAL ${INTAKE_DAYS} DAY)`);
  }
}
