import { quotedString } from "@duckdb/node-api";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import { civilDate } from "../../shared/products/time-window.ts";
import { faultColumns } from "./faults.ts";

/**
 * Returns a query of the days in the table `rows` that have not begun in their country. A day has many rows, so each is reported once, at its first
 * row. Facts are measured, so such a day is a mistake in the file, and customers could ask for it.
 * @param column the name for messages of the column that says the day
 */
export function futureDays(countries: CountryTable, now: Date, column: string): string {
  const todays = Object.entries(countries).map(([code, { timeZone }]) => ({ code, timeZone, today: civilDate(now, timeZone) }));
  const ofCountry = (of: (one: (typeof todays)[number]) => string): string =>
    `CASE country_code ${todays.map((one) => `WHEN ${quotedString(one.code)} THEN ${of(one)}`).join(" ")} END`;
  const [first = ""] = todays.map(({ today }) => today).sort();
  const says = ofCountry(({ today, timeZone }) =>
    quotedString(`is a day in the future: in ${timeZone} it is ${today} by this machine's clock`),
  );
  const rows = "concat(says, CASE WHEN rows > 1 THEN concat(' (', rows, ' rows)') END)";
  // The days of most files are before today everywhere, which is told by one comparison.
  const days = `SELECT batch_date, ${says} AS says, min("#") AS first, count(*) AS rows FROM rows
    WHERE batch_date > DATE ${quotedString(first)} AND batch_date > ${ofCountry(({ today }) => `DATE ${quotedString(today)}`)}
    GROUP BY batch_date, country_code`;
  const value = "CAST(batch_date AS VARCHAR)";
  return `SELECT ${faultColumns({ row: "first", column: quotedString(column), value, says: rows })} FROM (${days})`;
}
