import { quotedString } from "@duckdb/node-api";
import { GEO_TYPES } from "../../shared/countries/country-rules.ts";
import { LONGEST_GEOMETRY_CHARACTERS } from "../../shared/geographies/find.ts";
import type { Column } from "../../shared/google/columns.ts";
import { VALUE_COLUMNS } from "../../shared/products/catalogue.ts";
import { MISSING } from "./faults.ts";
import { isOffTheGlobe, WKT } from "./wkt.ts";

/** The check of a column's values: DuckDB expressions over their text. */
export interface Check {
  /** The error of a text, or NULL. */
  readonly fault: string;
  /** The typed value of a text without an error. */
  readonly value: string;
  /** A test that most sound texts pass, cheaper than `fault`; absent if there is none. */
  readonly plain?: Plain;
}

/** What tells that a text is written as the value itself is written, so that no expression needs to match its form. */
interface Plain {
  /** The value of the text, or NULL. */
  readonly parsed: string;
  /** Whether a value is sound, by a column with `parsed`. */
  readonly isInRange: (parsed: string) => string;
  /** Whether the text is sound, by a column with `parsed`. False or NULL says nothing. */
  readonly isSound: (parsed: string) => string;
  /** The typed value, by a column with `parsed`. */
  readonly value: (parsed: string) => string;
}

type Branch = readonly [condition: string, says: string];

/** Ids and counts are JSON numbers in the API, so they must be exact as doubles. */
const INTEGER_MAX = Number.MAX_SAFE_INTEGER;

const RANGES: Readonly<Record<string, { readonly outside: (value: string) => string; readonly says: string }>> = {
  lon: { outside: (value) => `abs(${value}) > 180`, says: "is not a longitude (-180 to 180)" },
  lat: { outside: (value) => `abs(${value}) > 90`, says: "is not a latitude (-90 to 90)" },
  weight: { outside: (value) => `${value} <= 0 OR ${value} > 1`, says: "is not a share (more than 0, at most 1)" },
  ...Object.fromEntries(VALUE_COLUMNS.map((name) => [name, { outside: (value: string) => `${value} < 0`, says: "is negative" }])),
};

/** Returns the check of one column. `text` is the DuckDB expression of a value as text; `countries` are the known codes. */
export function checkOf(column: Column, text: string, countries: readonly string[]): Check {
  const { branches, value } = byType(column, `trim(${text})`, text, countries);
  const isMissing = column.type === "STRING" ? `${text} IS NULL` : `${text} IS NULL OR trim(${text}) = ''`;
  const missing = column.required ? quotedString(column.type === "STRING" ? `${MISSING}; for an empty text write ""` : MISSING) : "NULL";
  const lines = branches.map(([condition, says]) => `WHEN ${condition} THEN ${quotedString(says)}`);
  return {
    fault: `CASE WHEN ${isMissing} THEN ${missing} ${lines.join(" ")} END`,
    value: column.required ? value : `CASE WHEN NOT (${isMissing}) THEN ${value} END`,
    ...plainOf(column, text),
  };
}

/** Each test holds only for texts that `byType` accepts. */
function plainOf({ name, type }: Column, text: string): { plain?: Plain } {
  const plain = (
    castTo: string,
    isInRange: (parsed: string) => string,
    written = (parsed: string): string => `CAST(${parsed} AS VARCHAR)`,
    value = (parsed: string): string => parsed,
  ): { plain: Plain } => {
    const isSound = (parsed: string): string => `${isInRange(parsed)} AND ${written(parsed)} = ${text}`;
    return { plain: { parsed: `TRY_CAST(${text} AS ${castTo})`, isInRange, isSound, value } };
  };
  switch (type) {
    case "INT64":
      return plain("BIGINT", (parsed) => (isSigned(name) ? `${parsed} IN (-1, 1)` : `${parsed} BETWEEN 0 AND ${INTEGER_MAX}`));
    case "FLOAT64": {
      const range = RANGES[name];
      return plain("DOUBLE", (parsed) => `isfinite(${parsed})${range ? ` AND NOT (${range.outside(parsed)})` : ""}`);
    }
    case "DATE":
      return plain("DATE", (parsed) => `${parsed} BETWEEN DATE '1970-01-01' AND DATE '9998-12-31'`);
    case "TIMESTAMP":
      return plain(
        "TIMESTAMP",
        (parsed) => `${parsed} >= TIMESTAMP '1970-01-01' AND ${parsed} < TIMESTAMP '9999-01-01'`,
        (parsed) => `strftime(${parsed}, '%Y-%m-%dT%H:%M:%SZ')`,
        (parsed) => `timezone('UTC', ${parsed})`,
      );
    default:
      return {};
  }
}

/** Returns whether whole numbers of a column may be negative: a direction is -1 or 1. */
export function isSigned(name: string): boolean {
  return name === "direction";
}

/** Returns the only values that a column of text may have; undefined if there is no list of them. */
export function listedValues({ name, type }: Pick<Column, "name" | "type">, countries: readonly string[]): readonly string[] | undefined {
  if (type !== "STRING") return undefined;
  if (name === "country_code") return countries;
  return name.endsWith("geo_type") ? GEO_TYPES : undefined;
}

function byType(
  { name, type }: Column,
  trimmed: string,
  text: string,
  countries: readonly string[],
): { branches: Branch[]; value: string } {
  switch (type) {
    case "INT64":
      return integer(name, trimmed);
    case "FLOAT64":
      return decimal(name, trimmed);
    case "DATE":
      return {
        branches: [
          [
            `NOT regexp_full_match(${trimmed}, '\\d{4}-\\d{2}-\\d{2}') OR TRY_CAST(${trimmed} AS DATE) IS NULL`,
            "is not a date (YYYY-MM-DD)",
          ],
          [`year(TRY_CAST(${trimmed} AS DATE)) NOT BETWEEN 1970 AND 9998`, "is not a date from 1970 to 9998"],
        ],
        value: `TRY_CAST(${trimmed} AS DATE)`,
      };
    case "TIMESTAMP":
      return instant(trimmed);
    case "BOOL":
      return {
        branches: [[`lower(${trimmed}) NOT IN ('true', 'false')`, "is neither true nor false"]],
        value: `lower(${trimmed}) = 'true'`,
      };
    case "GEOGRAPHY":
      return { branches: shape(trimmed, WKT.line, "is not the WKT of a line (LINESTRING (lon lat, …))"), value: trimmed };
    case "STRING":
      return { branches: named({ name, type }, text, countries), value: text };
  }
}

function integer(name: string, text: string): { branches: Branch[]; value: string } {
  const value = `TRY_CAST(regexp_replace(${text}, '\\.0*$', '') AS BIGINT)`;
  return {
    branches: [
      [`NOT regexp_full_match(${text}, '[-+]?\\d+(\\.0*)?')`, "is not a whole number"],
      isSigned(name)
        ? [`coalesce(${value} NOT IN (-1, 1), true)`, "is neither -1 nor 1"]
        : [`starts_with(${text}, '-') AND coalesce(${value} < 0, true)`, "is negative"],
      [`coalesce(${value} > ${INTEGER_MAX}, true)`, "is too large"],
    ],
    value,
  };
}

function decimal(name: string, text: string): { branches: Branch[]; value: string } {
  const value = `TRY_CAST(${text} AS DOUBLE)`;
  const range = RANGES[name];
  return {
    branches: [
      [`NOT regexp_full_match(${text}, '[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?')`, "is not a number"],
      [`NOT coalesce(isfinite(${value}), false)`, "is too large"],
      ...(range ? [[range.outside(value), range.says] as const] : []),
    ],
    value,
  };
}

function instant(text: string): { branches: Branch[]; value: string } {
  const form = "\\d{4}-\\d{2}-\\d{2}[T ]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?";
  // DuckDB parses an offset only after seconds, as hours and minutes with a colon.
  const seconds = `regexp_replace(${text}, '([T ]\\d{2}:\\d{2})([^:\\d]|$)', '\\1:00\\2')`;
  const value = `TRY_CAST(regexp_replace(regexp_replace(${seconds}, ' ?(UTC|Z)$', '+00'), ' ([-+])', '\\1') AS TIMESTAMPTZ)`;
  return {
    branches: [
      [`regexp_full_match(${text}, '${form}')`, "has no offset; write UTC as Z, for example 2026-03-01T00:00:00Z"],
      [
        `NOT regexp_full_match(${text}, '${form} ?(Z|UTC|[-+]\\d{2}(:?\\d{2})?)') OR ${value} IS NULL`,
        "is not a time (YYYY-MM-DDTHH:MM:SSZ)",
      ],
      [`year(${value}) NOT BETWEEN 1970 AND 9998`, "is not a time from 1970 to 9998"],
    ],
    value,
  };
}

function named(column: Pick<Column, "name" | "type">, text: string, countries: readonly string[]): Branch[] {
  const listed = listedValues(column, countries);
  if (listed) {
    const says = column.name === "country_code" ? `is not a known country (${listed.join(", ")})` : `is not one of ${listed.join(", ")}`;
    return [[`${text} NOT IN (${listed.map(quotedString).join(", ")})`, says]];
  }
  if (column.name === "geometry") {
    const tooLong: Branch = [
      `length(${text}) > ${LONGEST_GEOMETRY_CHARACTERS}`,
      `has more than ${LONGEST_GEOMETRY_CHARACTERS / 2 ** 20} MiB of text: simplify it`,
    ];
    return [tooLong, ...shape(text, WKT.shape, "is not the WKT of a polygon or a line")];
  }
  return [];
}

function shape(text: string, form: string, says: string): Branch[] {
  return [
    [`NOT regexp_full_match(${text}, '${form}')`, says],
    [isOffTheGlobe(text), "has a point outside of longitudes -180 to 180 or latitudes -90 to 90"],
  ];
}
