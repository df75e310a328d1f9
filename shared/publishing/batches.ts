import type * as v from "valibot";
import { deviceStepOf } from "../countries/step.ts";
import { type Parameters, type Statement, statement } from "../google/statement.ts";
import { NESTED_LEVELS } from "./nesting.ts";
import type { Load } from "./staged-load.ts";

/** A type that does not nest is none of them: -1. */
const LEVELS: readonly (string | undefined)[] = NESTED_LEVELS;

/** What of a load its query parameters hold. */
type Given = Pick<Load, "table" | "countries" | "days" | "checksum">;

/** Returns the query parameters that the statements of a load can use. */
export function loadParameters({ table, countries, days, checksum }: Given): Parameters {
  return {
    table_name: { type: "STRING", value: table },
    checksum: { type: "STRING", value: checksum },
    ...(days && { first_date: { type: "DATE", value: days.first }, last_date: { type: "DATE", value: days.last } }),
    ...Object.fromEntries(
      countries.flatMap(({ code, k, step, peopleOfDevice, finestType, isProtected, isStrict = false }, index) => [
        [`country_${index}`, { type: "STRING", value: code } as const],
        [`k_${index}`, { type: "INT64", value: k } as const],
        [`step_${index}`, { type: "INT64", value: step } as const],
        [`device_step_${index}`, { type: "INT64", value: deviceStepOf({ k, isStrict }) } as const],
        [`people_of_device_${index}`, { type: "FLOAT64", value: peopleOfDevice } as const],
        [`finest_${index}`, { type: "INT64", value: LEVELS.indexOf(finestType) } as const],
        [`protected_${index}`, { type: "BOOL", value: isProtected } as const],
      ]),
    ),
  };
}

/** Returns a statement of a load, with the parameters that its text uses. */
export function loadQuery<Row>(schema: v.GenericSchema<unknown, Row>, sql: string, load: Given): Statement<Row> {
  const used = new Set(sql.match(/(?<=@)\w+/g));
  return statement(schema, sql, Object.fromEntries(Object.entries(loadParameters(load)).filter(([name]) => used.has(name))));
}

/** Returns a query of the rules of the countries: `country_code`, `k`, `step`, `device_step`, `people_of_device`, `finest_level` and `is_protected`. */
export function rulesOf(countries: Load["countries"]): string {
  const row = (index: number): string =>
    `SELECT @country_${index} AS country_code, @k_${index} AS k, @step_${index} AS step, @device_step_${index} AS device_step, @people_of_device_${index} AS people_of_device, @finest_${index} AS finest_level, @protected_${index} AS is_protected`;
  return countries.map((_, index) => row(index)).join(" UNION ALL\n  ");
}

/** Returns the countries as a list of parameters. BigQuery prunes clusters by constants only. */
export function countryList(countries: Load["countries"]): string {
  return `(${countries.map((_, index) => `@country_${index}`).join(", ")})`;
}

/**
 * Returns a condition for the rows of a table, under an alias, whose batch is staged. BETWEEN prunes partitions, EXISTS selects the
 * batches.
 */
export function stagedBatches({ staging, countries, days, replaces }: Load, alias: string): string {
  const prune = days ? `${alias}.batch_date BETWEEN @first_date AND @last_date\n  AND ` : "";
  const same = replaces.map((column) => `staged.${column} = ${alias}.${column}`).join(" AND ");
  return `${prune}${alias}.country_code IN ${countryList(countries)}
  AND EXISTS (SELECT 1 FROM \`${staging}\` AS staged WHERE ${same})`;
}

/** A rule of a country that a load's parameters hold. */
export type LoadedRule = "k" | "step" | "device_step" | "people_of_device" | "finest" | "protected";

/** Returns an expression for a rule of the row's country. `country` is an expression for its code. */
export function ruleOf(countries: Load["countries"], rule: LoadedRule, country: string): string {
  return `CASE ${country} ${countries.map((_, index) => `WHEN @country_${index} THEN @${rule}_${index}`).join(" ")} END`;
}
