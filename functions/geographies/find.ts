import { allowedCountry } from "../../shared/allowed-country.ts";
import { openWarehouse } from "../../shared/cloud/warehouse.ts";
import { countries } from "../../shared/countries.ts";
import { defineEndpoint, nothing, reply } from "../../shared/endpoint/define.ts";
import { decodeCursor, encodeCursor } from "../../shared/geographies/cursor.ts";
import { requireOffered } from "../../shared/geographies/offered-types.ts";
import { firstPage } from "../../shared/geographies/page.ts";
import { geometryOf } from "../../shared/geographies/wkt-geometry.ts";
import { FindGeographiesQuery, FindGeographiesResponse } from "../../shared/schemas/geography.ts";
import { findGeographiesStatement, foundGeographies } from "../../shared/warehouse/find-geographies.ts";

export default defineEndpoint({
  file: "geographies/find",
  api: "data",
  method: "GET",
  path: "/geographies",
  summary: "Find geographies of a type by place, name or id",
  auth: {},
  params: nothing,
  query: FindGeographiesQuery,
  body: nothing,
  responses: { 200: FindGeographiesResponse },
  uses: (config) => ({ warehouse: openWarehouse(config) }),
  handler: async ({ query, caller }, { warehouse }) => {
    const { geo_type: geoType, bbox, q: name, ids, format, limit, cursor } = query;
    const [country, rules] = allowedCountry(query.country_code, caller, countries());
    requireOffered(country, rules, geoType);
    const filters = { country, geoType, bbox, name, ids };
    const after = cursor === undefined ? undefined : decodeCursor(filters, cursor);
    // One row beyond the page tells whether there is a next one.
    const found = await warehouse.query(findGeographiesStatement(filters, after, limit + 1), { purpose: "geographies" });
    const { rows, nextAfter } = firstPage(foundGeographies(found), limit);
    const nextCursor = nextAfter === undefined ? null : encodeCursor(filters, nextAfter);
    const common = { country_code: country, geo_type: geoType };
    if (format === "json") return reply(200, { geographies: rows.map((row) => ({ ...common, ...row })), next_cursor: nextCursor });
    const features = rows.map(({ geometry, ...row }) => ({
      type: "Feature" as const,
      id: row.geo_id,
      properties: { ...common, ...row },
      geometry: geometry === null ? null : geometryOf(geometry),
    }));
    return reply(
      200,
      { type: "FeatureCollection" as const, features, next_cursor: nextCursor },
      { "content-type": "application/geo+json" },
    );
  },
});
