import { touchesBox } from "../geometry/touches-box.ts";
import { geometryOf } from "../geometry/wkt-to-geojson.ts";
import type { Warehouse } from "../google/bigquery.ts";
import { lineText } from "../products/road-link-candidates.ts";
import { findGeographiesStatement, GEOMETRY_CHARACTERS_MAX, type GeographyFilters, type GeographyRow } from "./find.ts";
import { firstPage, type Page } from "./page.ts";

/**
 * Returns a page of the geographies after an id, ordered by id, at most `limit`. With a box they are those whose geometry touches it. The
 * warehouse compares bounding boxes, so it is asked again in the rare case that too many rows of a full page only come near.
 */
export async function searchGeographies(
  warehouse: Pick<Warehouse, "query">,
  filters: GeographyFilters,
  after: number | undefined,
  limit: number,
  uid: string,
): Promise<Page> {
  const found: GeographyRow[] = [];
  // One row more shows whether there is a next page.
  const rowsMax = limit + 1;
  let last = after;
  for (;;) {
    const rows = await warehouse.query(findGeographiesStatement(filters, last, rowsMax), { customer: uid, purpose: "geographies" });
    found.push(...rows.map(asLine).filter((row) => touches(row, filters)));
    const page = firstPage(found, limit);
    if (page.nextAfter !== undefined || isEnd(rows, rowsMax)) return page;
    last = rows.at(-1)?.geo_id;
  }
}

/** Whether no rows follow: the statement returns one beyond the characters of a page, or as many as it may, if there are more. */
function isEnd(rows: readonly GeographyRow[], rowsMax: number): boolean {
  const characters = rows.slice(0, -1).reduce((sum, { geometry }) => sum + (geometry?.length ?? 0), 0);
  return rows.length < rowsMax && characters <= GEOMETRY_CHARACTERS_MAX;
}

/** A road link that the warehouse stores as a point is a line, too. */
function asLine({ geometry, ...row }: GeographyRow): GeographyRow {
  return { ...row, geometry: geometry && lineText(geometry) };
}

function touches({ geometry }: GeographyRow, { bbox }: GeographyFilters): boolean {
  return bbox === undefined || geometry === null || touchesBox(geometryOf(geometry), bbox);
}
