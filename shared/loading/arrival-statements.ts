import * as v from "valibot";
import { type Statement, statement } from "../google/statement.ts";

/** A day of a country in a table that was loaded. */
const Arrived = v.object({ table_name: v.string(), country_code: v.string(), period: v.string() });
export type Arrived = v.InferOutput<typeof Arrived>;

/** Returns a query of the days of facts that were loaded and not deleted, whatever is published of them. `first` and `last` are civil days, inclusive. */
export function arrivedStatement(first: string, last: string): Statement<Arrived> {
  return statement(
    Arrived,
    `SELECT DISTINCT table_name, country_code, FORMAT_DATE('%F', batch_date) AS period
FROM \`intake.batches\`
WHERE batch_date BETWEEN @first_date AND @last_date
QUALIFY version = MAX(version) OVER (PARTITION BY table_name, country_code, batch_date) AND row_count > 0`,
    { first_date: { type: "DATE", value: first }, last_date: { type: "DATE", value: last } },
  );
}
