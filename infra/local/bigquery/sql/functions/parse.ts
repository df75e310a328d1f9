import { coerce } from "../analyze/coerce.ts";
import type { SqlType } from "../sql-type.ts";
import { type Implementation, type Library, noMatch } from "./signature.ts";
import { fromCivil, UTC, zoneArgument } from "./time-zone.ts";

/** PARSE_DATE(format, text) and so on. PARSE_TIMESTAMP takes a zone for texts that name none. */
function parse(type: "DATE" | "TIME" | "DATETIME" | "TIMESTAMP", sql: (parsed: string, zone: string) => string): Implementation {
  return (call, env) => {
    const values = call.args.slice(0, 2).map((arg) => env.value(arg));
    const [format, text] = values.map((value) => coerce(value, "STRING"));
    const most = type === "TIMESTAMP" ? 3 : 2;
    if (format === undefined || text === undefined || call.args.length > most) throw noMatch(call, env, values);
    const result: SqlType = type;
    return { sql: sql(`bq_parse('${type}', ${format}, ${text})`, zoneArgument(call.args[2], env)), type: result, at: call.at };
  };
}

export const PARSE: Library = {
  PARSE_DATE: parse("DATE", (parsed) => `CAST(bq_parsed(${parsed}) AS DATE)`),
  PARSE_TIME: parse("TIME", (parsed) => `CAST(bq_parsed(${parsed}) AS TIME)`),
  PARSE_DATETIME: parse("DATETIME", (parsed) => `bq_parsed(${parsed})`),
  PARSE_TIMESTAMP: parse(
    "TIMESTAMP",
    (parsed, zone) =>
      `CASE WHEN split_part(${parsed}, '|', 2) = '' THEN ${fromCivil(`bq_parsed(${parsed})`, zone)} ELSE ${fromCivil(`(bq_parsed(${parsed}) - to_minutes(CAST(split_part(${parsed}, '|', 2) AS BIGINT)))`, UTC)} END`,
  ),
};
