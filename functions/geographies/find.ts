import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { allowedCountry, unknownCountries } from "../../shared/countries/allowed-country.ts";
import { countries } from "../../shared/countries/countries.ts";
import { requireNotSwapped } from "../../shared/countries/swapped-box.ts";
import { decodeGeographyCursor, encodeGeographyCursor } from "../../shared/geographies/cursor.ts";
import { hasRoadsOnly, requireOffered } from "../../shared/geographies/offered-types.ts";
import { FindGeographiesQuery, FindGeographiesResponse } from "../../shared/geographies/schemas.ts";
import { searchGeographies } from "../../shared/geographies/search.ts";
import { geometryOf } from "../../shared/geometry/wkt-to-geojson.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";

/** A page of GeoJSON takes several times its text as numbers, which it holds while its key is checked again. */
const AT_ONCE = 2;
/** The characters of geometry that a page may have without a turn. */
const BRIEF_CHARACTERS = 64 * 1024;

export default defineEndpoint({
  file: "geographies/find",
  api: "data",
  method: "GET",
  path: "/geographies",
  summary: "Find geographies of a type by location, name or id",
  description:
    "Ordered by id. Road links, `geo_type` = `osm_links`, are found by `bbox` in every country with Flow. With `format` = `geojson` the answer is a FeatureCollection (RFC 7946). Pages follow `next_cursor`.",
  auth: {},
  params: noInput,
  query: FindGeographiesQuery,
  body: noInput,
  faults: (request) => unknownCountries(request, countries()),
  responses: { 200: FindGeographiesResponse },
  isRevalidated: true,
  atOnce: AT_ONCE,
  opensEarly: true,
  dependencies: (config, now) => ({ warehouse: openInteractiveWarehouse(config, now) }),
  handler: async ({ query, caller }, { warehouse }, { turn }) => {
    const { geo_type: geoType, bbox, q: name, ids, format, limit, cursor } = query;
    const [country, rules] = allowedCountry(query.country_code, caller, countries());
    requireOffered(country, rules, geoType, bbox);
    if (bbox) requireNotSwapped(bbox, country, rules);
    const filters = { country, geoType, bbox, name, ids, areRoads: hasRoadsOnly(rules, geoType) };
    const after = cursor === undefined ? undefined : decodeGeographyCursor(filters, cursor);
    const { rows, nextAfter } = await searchGeographies(warehouse, filters, after, limit, caller.uid);
    const nextCursor = nextAfter === undefined ? null : encodeGeographyCursor(filters, nextAfter);
    const common = { country_code: country, geo_type: geoType };
    if (format === "json") return reply(200, { geographies: rows.map((row) => ({ ...common, ...row })), next_cursor: nextCursor });
    if (rows.reduce((sum, { geometry }) => sum + (geometry?.length ?? 0), 0) > BRIEF_CHARACTERS) await turn();
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
