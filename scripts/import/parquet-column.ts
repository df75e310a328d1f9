import { quotedIdentifier } from "@duckdb/node-api";
import * as v from "valibot";
import type { SourceColumn } from "./source.ts";

/** A coordinate reference system as PROJJSON, which GeoParquet has. */
const Projection = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ name: v.string(), id: v.optional(v.object({ authority: v.string(), code: v.union([v.string(), v.number()]) })) }),
);
/** Longitude and latitude; in GeoParquet the longitude is first in both. */
const LONGITUDE_LATITUDE = ["OGC:CRS84", "EPSG:4326"];

/**
 * Returns how a column of a Parquet file is read.
 * @param type DuckDB's type; `INT96` for the column of that type in the file
 */
export function parquetColumn(name: string, type: string): SourceColumn {
  const value = quotedIdentifier(name);
  const text = `CAST(${value} AS VARCHAR)`;
  // Pandas stores integer columns with gaps as floating point. Their text must stay an integer, however large.
  if (type === "DOUBLE" || type === "FLOAT")
    return {
      name,
      text: `CASE WHEN ${value} = trunc(${value}) AND abs(${value}) < 1e18 THEN CAST(CAST(${value} AS BIGINT) AS VARCHAR) ELSE ${text} END`,
    };
  // Spark writes instants so, unless it is told otherwise. The type has no place for a zone; all who read it take it for UTC.
  if (type === "INT96") return { name, text: `${text} || '+00'` };
  if (/^TIMESTAMP(_S|_MS|_NS)?$/.test(type))
    return {
      name,
      text,
      into: {
        // Pandas has no dates without a time.
        DATE: {
          text: `CASE WHEN CAST(CAST(${value} AS DATE) AS TIMESTAMP) = ${value} THEN CAST(CAST(${value} AS DATE) AS VARCHAR) ELSE ${text} END`,
        },
        TIMESTAMP: { text, unreadable: "has times without an offset; write instants: in pandas, with a time zone (dt.tz_localize)" },
      },
    };
  if (type.startsWith("GEOMETRY")) {
    const system = systemOf(type);
    if (system === undefined || LONGITUDE_LATITUDE.includes(system)) return { name, text };
    return { name, text, unreadable: `is in ${system}; write longitude and latitude, EPSG:4326: in GeoPandas, by to_crs(4326)` };
  }
  if (/\[\]|^(STRUCT|MAP|UNION|BLOB|VARIANT)/.test(type))
    return { name, text, unreadable: `is of type ${type}; it must be text, a number, a date or a time` };
  return { name, text };
}

/** Returns the name of a geometry type's coordinate reference system; undefined if it names none, which means longitude and latitude. */
function systemOf(type: string): string | undefined {
  const [, quoted] = /^GEOMETRY\('(.*)'\)$/s.exec(type) ?? [];
  if (quoted === undefined) return undefined;
  const text = quoted.replaceAll("''", "'");
  const projection = v.safeParse(Projection, text);
  if (!projection.success) return text;
  const { name, id } = projection.output;
  return id ? `${id.authority}:${id.code}` : name;
}
