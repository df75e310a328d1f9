import * as v from "valibot";
import { BboxText, CountryCode, GeoIdsQuery, GeoTypeName } from "../countries/request-fields.ts";
import { maxCharacters, WholeNumber } from "../http/fields.ts";
import { Cursor, limitUpTo, NextCursor } from "../http/paging.ts";
import { LineString, MultiLineString, Positions } from "../products/road-link.ts";
import { visible, visiblePattern } from "../runtime/visible-text.ts";

const Limit = limitUpTo(1000, "1 to 1,000, default 100. A page ends at 2 MiB of geometry, so it may have fewer geographies");

/** Part of a name. Blanks around it are those of a form or of a copied cell. */
const NamePart = v.pipe(
  v.string("must be given once"),
  v.description(
    "Part of the name, in any letter case, with or without diacritics: voru finds Võru. ø is also found as o, đ and ð as d, ł as l, ŋ as n, æ as ae, œ as oe, þ as th, ß as ss. Blanks at its ends are ignored. Without controls, marks of text direction and invisible characters",
  ),
  v.check((text) => text.trim() !== "", "must not be empty"),
  maxCharacters(200),
  visible(),
  v.metadata({ maxLength: 200, pattern: visiblePattern("line", { notBlank: true }) }),
  v.transform((text) => text.trim()),
);

/** The query of `GET /geographies`. */
export const FindGeographiesQuery = v.strictObject({
  country_code: v.optional(CountryCode),
  geo_type: GeoTypeName,
  bbox: v.optional(BboxText),
  q: v.optional(NamePart),
  ids: v.optional(GeoIdsQuery),
  format: v.optional(v.picklist(["json", "geojson"]), "json"),
  limit: v.optional(Limit, "100"),
  cursor: v.optional(Cursor),
});

const CommonFields = {
  country_code: v.string(),
  geo_type: GeoTypeName,
  geo_id: WholeNumber,
  geo_name: v.string(),
  lon: v.pipe(v.number(), v.description("Centroid, degrees")),
  lat: v.pipe(v.number(), v.description("Centroid, degrees")),
};

/** The response in `json`: geographies ordered by id. */
const GeographiesPage = v.pipe(
  v.strictObject({
    geographies: v.array(
      v.pipe(
        v.strictObject({
          ...CommonFields,
          geometry: v.pipe(v.nullable(v.string()), v.description("WKT, longitude first (WGS 84)")),
        }),
        v.title("Geography"),
      ),
    ),
    next_cursor: NextCursor,
  }),
  v.title("GeographyList"),
);

const Geometry = v.pipe(
  v.variant("type", [
    LineString,
    MultiLineString,
    v.pipe(v.strictObject({ type: v.literal("Polygon"), coordinates: v.array(Positions) }), v.title("Polygon")),
    v.pipe(v.strictObject({ type: v.literal("MultiPolygon"), coordinates: v.array(v.array(Positions)) }), v.title("MultiPolygon")),
  ]),
  v.metadata({ title: "Geometry", discriminator: { propertyName: "type" } }),
);

/** The response in `geojson` (RFC 7946). `next_cursor` is a foreign member (section 6.1). */
const FeatureCollection = v.pipe(
  v.strictObject({
    type: v.literal("FeatureCollection"),
    features: v.array(
      v.pipe(
        v.strictObject({
          type: v.literal("Feature"),
          id: WholeNumber,
          properties: v.pipe(v.strictObject(CommonFields), v.title("GeographyProperties")),
          geometry: v.nullable(Geometry),
        }),
        v.title("GeographyFeature"),
      ),
    ),
    next_cursor: NextCursor,
  }),
  v.metadata({ title: "GeographyFeatureCollection", mediaType: "application/geo+json" }),
);

export const FindGeographiesResponse = v.union([GeographiesPage, FeatureCollection]);
