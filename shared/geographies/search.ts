import { touchesBox } from "../geometry/touches-box.ts";
import { geometryOf } from "../geometry/wkt-to-geojson.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { lineText } from "../products/road-link-candidates.ts";
import { findGeographiesStatement, type GeographyFilters, type GeographyRow } from "./find.ts";

/**
 * Returns the first geographies after an id, ordered by id, at most `rowsMax`. With a box they are those whose geometry touches it. The
 * warehouse compares bounding boxes, so it is asked again in the rare case that too many rows of a full page only come near.
 */
export async function searchGeographies(
  warehouse: Pick<Warehouse, "query">,
  filters: GeographyFilters,
  after: number | undefined,
  rowsMax: number,
  uid: string,
): Promise<GeographyRow[]> {
  const found: GeographyRow[] = [];
  let last = after;
  for (;;) {
    const rows = await warehouse.query(findGeographiesStatement(filters, last, rowsMax), { customer: uid, purpose: "geographies" });
    found.push(...rows.map(asLine).filter((row) => touches(row, filters)));
    last = rows.at(-1)?.geo_id;
    if (rows.length < rowsMax || found.length >= rowsMax) return found.slice(0, rowsMax);
  }
}

/** A road link that the warehouse stores as a point is a line, too. */
function asLine({ geometry, ...row }: GeographyRow): GeographyRow {
  return { ...row, geometry: geometry && lineText(geometry) };
}

function touches({ geometry }: GeographyRow, { bbox }: GeographyFilters): boolean {
  return bbox === undefined || geometry === null || touchesBox(geometryOf(geometry), bbox);
}
