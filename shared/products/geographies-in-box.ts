import * as v from "valibot";
import type { GeoType } from "../countries/country-rules.ts";
import type { Bbox } from "../geometry/bbox.ts";
import { touchesBox } from "../geometry/touches-box.ts";
import { geometryOf } from "../geometry/wkt-to-geojson.ts";
import type { Labels, Warehouse } from "../google/bigquery.ts";
import { onlyRow, type Parameters, type Statement, statement } from "../google/statement.ts";
import { invalidFields } from "../http/errors.ts";
import { wktExtent } from "../publishing/wkt-extent.ts";

/** The maximum number of geographies in the box of a preview. */
const GEOGRAPHIES_MAX = 5000;
/**
 * The characters of outlines that one answer of the warehouse has, but for one longer outline: the process may read as many at once as it has
 * requests. A country's municipalities may have a hundred MiB.
 */
const OUTLINE_CHARACTERS_AT_ONCE = 1024 * 1024;
/** The characters of outlines that a preview reads, in one answer after another. */
const OUTLINE_CHARACTERS_MAX = 32 * 1024 * 1024;

/**
 * Returns GoogleSQL for rows with `geo_id`, `geo_name`, `lon`, `lat`, `geometry` and their extent, from a query that has these columns. Rows that
 * a release without an extent has loaded, whose sides are null, are read from their WKT. The texts of the others, which may be long, are not.
 */
export function withExtent(rows: string): string {
  const sides = Object.entries(wktExtent("unmeasured")).map(([side, value]) => `COALESCE(${side}, ${value}) AS ${side}`);
  return `(
  SELECT geo_id, geo_name, lon, lat, geometry,
    ${sides.join(",\n    ")}
  FROM (
    SELECT *, IF(west IS NULL, geometry, NULL) AS unmeasured
    FROM (
      ${rows}
    )
  )
)`;
}

/** Whether the extent of a geography, or its centroid if it has no geometry, touches the box `@west`, `@south`, `@east`, `@north`. */
export const TOUCHES_BOX =
  "IF(geometry IS NULL, lon BETWEEN @west AND @east AND lat BETWEEN @south AND @north, west <= @east AND east >= @west AND south <= @north AND north >= @south)";

/** Returns the parameters of a box, one per side. */
export function boxParameters([west, south, east, north]: Bbox): Parameters {
  return Object.fromEntries(Object.entries({ west, south, east, north }).map(([side, value]) => [side, { type: "FLOAT64", value }]));
}

/** Whether the extent of a geometry is inside the box. */
const IS_WITHIN = "west >= @west AND east <= @east AND south >= @south AND north <= @north";

const Outline = v.object({ geo_id: v.number(), geometry: v.nullable(v.string()) });
const Candidate = v.object({ ...Outline.entries, characters: v.number() });
const InBox = v.object({ geographies: v.number(), first: v.nullable(v.array(Candidate)) });
type InBox = v.InferOutput<typeof InBox>;
type Candidate = v.InferOutput<typeof Candidate>;

/**
 * Returns a query of the geographies of a type whose extent touches a box: one row with their number, and the first ones by id, at most
 * `GEOGRAPHIES_MAX`. Those whose extent is inside the box have 0 `characters`: they certainly touch it. The first of the others come with their geometry.
 */
export function geographiesInBoxStatement(country: string, geoType: GeoType, bbox: Bbox): Statement<InBox> {
  return statement(
    InBox,
    `SELECT COUNT(*) AS geographies,
  ARRAY_AGG(STRUCT(geo_id, characters, IF(before < ${OUTLINE_CHARACTERS_AT_ONCE}, geometry, NULL) AS geometry) ORDER BY geo_id LIMIT ${GEOGRAPHIES_MAX}) AS first
FROM (
  SELECT geo_id, geometry, IFNULL(LENGTH(geometry), 0) AS characters,
    IFNULL(SUM(LENGTH(geometry)) OVER (ORDER BY geo_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
  FROM (
    SELECT geo_id, IF(${IS_WITHIN}, NULL, geometry) AS geometry
    FROM ${withExtent(`SELECT geo_id, geo_name, lon, lat, geometry, west, south, east, north
      FROM \`mobility.geographies\`
      WHERE country_code = @country_code AND geo_type = @geo_type`)}
    WHERE ${TOUCHES_BOX}
  )
)`,
    { ...typeParameters(country, geoType), ...boxParameters(bbox) },
  );
}

/** Returns a query of the geometries of some geographies of a type. */
export function outlinesStatement(country: string, geoType: GeoType, ids: readonly number[]): Statement<v.InferOutput<typeof Outline>> {
  return statement(
    Outline,
    `SELECT geo_id, geometry
FROM \`mobility.geographies\`
WHERE country_code = @country_code AND geo_type = @geo_type AND geo_id IN UNNEST(@ids)`,
    { ...typeParameters(country, geoType), ids: { type: "ARRAY<INT64>", value: ids } },
  );
}

function typeParameters(country: string, geoType: GeoType): Parameters {
  return { country_code: { type: "STRING", value: country }, geo_type: { type: "STRING", value: geoType } };
}

/**
 * Returns the ids of the geographies of a type that touch a box, ascending: those that GET /geographies finds. Throws `invalid_argument` if
 * the extents of more than `GEOGRAPHIES_MAX` do, or if the outlines to look at have more than `OUTLINE_CHARACTERS_MAX`.
 */
export async function geographiesInBox(
  { country_code: country, geo_type: geoType, bbox }: { readonly country_code: string; readonly geo_type: GeoType; readonly bbox: Bbox },
  warehouse: Pick<Warehouse, "query">,
  labels: Labels,
): Promise<number[]> {
  const { geographies, first } = onlyRow(await warehouse.query(geographiesInBoxStatement(country, geoType, bbox), labels));
  const refuse = (reaches: string): never => {
    const detail = `${reaches}: send a smaller box or a coarser geo_type, or submit a job with POST /data-agg`;
    throw invalidFields([{ pointer: "/bbox", detail }]);
  };
  if (geographies > GEOGRAPHIES_MAX) {
    const [there, most] = [geographies, GEOGRAPHIES_MAX].map((count) => count.toLocaleString("en"));
    refuse(`reaches ${there} geographies of ${geoType}, and a preview shows at most ${most}`);
  }
  const candidates = first ?? [];
  const mebibytes = candidates.reduce((sum, { characters }) => sum + characters, 0) / 2 ** 20;
  if (mebibytes > OUTLINE_CHARACTERS_MAX / 2 ** 20)
    refuse(
      `its border crosses outlines of ${Math.ceil(mebibytes)} MiB, and a preview looks at no more than ${OUTLINE_CHARACTERS_MAX / 2 ** 20} MiB`,
    );
  const touching = new Set<number>();
  const look = (outlines: readonly v.InferOutput<typeof Outline>[]): void => {
    for (const { geo_id, geometry } of outlines) if (geometry === null || touchesBox(geometryOf(geometry), bbox)) touching.add(geo_id);
  };
  look(candidates.filter((candidate) => !isUnread(candidate)));
  for (const ids of answers(candidates.filter(isUnread))) look(await warehouse.query(outlinesStatement(country, geoType, ids), labels));
  return candidates.flatMap(({ geo_id }) => (touching.has(geo_id) ? [geo_id] : []));
}

/** Whether the geometry of a geography is to be looked at, and was too much for the first answer. */
function isUnread({ geometry, characters }: Candidate): boolean {
  return geometry === null && characters > 0;
}

/** Returns the ids of geographies in groups whose outlines fit into an answer each. */
function answers(unread: readonly Candidate[]): number[][] {
  const groups: number[][] = [];
  let room = 0;
  for (const { geo_id, characters } of unread) {
    const group = groups.at(-1);
    if (group && characters <= room) {
      group.push(geo_id);
      room -= characters;
    } else {
      groups.push([geo_id]);
      room = OUTLINE_CHARACTERS_AT_ONCE - characters;
    }
  }
  return groups;
}
