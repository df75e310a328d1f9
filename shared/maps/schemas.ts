import * as v from "valibot";
import type { GEO_TYPES } from "../countries/country-rules.ts";
import { CountryCode, GeoIds } from "../countries/request-fields.ts";
import { parsePolygon } from "../geometry/wkt.ts";

/** The standard types: the geography types whose ids a map can list. */
const STANDARD_TYPES = [
  "grid_250m",
  "grid_1000m",
  "admin_level_2",
  "admin_level_4",
] as const satisfies readonly (typeof GEO_TYPES)[number][];
export const MAP_TYPES = ["custom_polygon", ...STANDARD_TYPES] as const;
export type MapType = (typeof MAP_TYPES)[number];

/** Control characters are not allowed, because lists and terminals show names. */
const NO_CONTROL = v.regex(/^\P{Cc}*$/u, "must hold no control characters");

const MapName = v.pipe(v.string(), v.regex(/\S/, "must not be empty"), v.maxLength(200, "must be at most 200 characters"), NO_CONTROL);
const Description = v.pipe(
  v.string(),
  v.maxLength(2000, "must be at most 2,000 characters"),
  v.regex(/^[\P{Cc}\n\t]*$/u, "must hold no control characters"),
);

/** A WKT polygon, stored as sent. An error names the ring and the point. */
const Geometry = v.pipe(
  v.string("must be a WKT text: POLYGON((lon lat, lon lat, ...))"),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const result = parsePolygon(dataset.value);
    if (!result.ok) addIssue({ message: result.detail });
  }),
);

const NotWithStandard = v.optional(v.never("is allowed only with type custom_polygon"));
const NotWithPolygon = v.optional(v.never("is allowed only with the standard types"));

/** The body that creates a map: a polygon with a geometry, or a standard map with ids. */
export const CreateMapBody = v.variant("type", [
  v.strictObject({
    name: MapName,
    description: v.optional(Description, ""),
    type: v.literal("custom_polygon"),
    geometry: Geometry,
    ids: NotWithPolygon,
    country_code: NotWithPolygon,
  }),
  v.strictObject({
    name: MapName,
    description: v.optional(Description, ""),
    type: v.picklist(STANDARD_TYPES),
    geometry: NotWithStandard,
    ids: GeoIds,
    country_code: v.optional(CountryCode),
  }),
]);
export type CreateMapBody = v.InferOutput<typeof CreateMapBody>;

/** The body that checks a map before it is saved: as for creating it, but the name may be missing and the geometry may be any text. */
export const CheckMapBody = v.variant("type", [
  v.strictObject({
    name: v.optional(v.string()),
    description: v.optional(v.string()),
    type: v.literal("custom_polygon"),
    geometry: v.string("must be a WKT text: POLYGON((lon lat, lon lat, ...))"),
    ids: NotWithPolygon,
    country_code: NotWithPolygon,
  }),
  v.strictObject({
    name: v.optional(v.string()),
    description: v.optional(v.string()),
    type: v.picklist(STANDARD_TYPES),
    geometry: NotWithStandard,
    ids: GeoIds,
    country_code: v.optional(CountryCode),
  }),
]);

/** The fields of a map to change. `id` and `owner` are allowed if unchanged. */
export const UpdateMapBody = v.strictObject({
  id: v.optional(v.string()),
  owner: v.optional(v.string()),
  name: v.optional(MapName),
  description: v.optional(Description),
  type: v.optional(v.picklist(MAP_TYPES)),
  geometry: v.optional(Geometry),
  ids: v.optional(GeoIds),
  country_code: v.optional(CountryCode),
});
export type UpdateMapBody = v.InferOutput<typeof UpdateMapBody>;

/** A map's id: 20 letters and digits. */
export const MapId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{20}$/, "must be the id of a map: 20 letters and digits"));

const MapFields = {
  id: MapId,
  name: v.string(),
  description: v.string(),
  type: v.picklist(MAP_TYPES),
  geometry: v.optional(v.string()),
  ids: v.optional(v.array(v.number())),
  country_code: v.optional(v.string()),
  owner: v.string(),
  is_monitored: v.pipe(v.boolean(), v.description("Whether headcounts of the map are measured")),
};

export const MapResponse = v.strictObject(MapFields);
/** A map in a list: `fields` may have left out all but its id. */
const ListedMap = v.strictObject({ ...v.partial(MapResponse).entries, id: MapId });
export const SavedMapResponse = v.strictObject({ msg: v.string(), ...MapFields });
export const MapListResponse = v.strictObject({ maps: v.array(ListedMap), next_cursor: v.optional(v.nullable(v.string())) });
/** The fields of a map that a list can be asked for. */
export const MAP_FIELDS = ["id", "name", "description", "type", "geometry", "ids", "country_code", "owner", "is_monitored"] as const;
export type MapField = (typeof MAP_FIELDS)[number];

/** The fields that a list of maps shall have, separated by commas. */
export const MapFieldsQuery = v.pipe(
  v.string("must be given once"),
  v.description(`The fields of each map, separated by commas, of ${MAP_FIELDS.join(", ")}; all by default. id is always there`),
  v.rawTransform(({ dataset, addIssue, NEVER }): ReadonlySet<MapField> => {
    const asked = dataset.value.split(",").map((name) => name.trim());
    const unknown = asked.find((name) => !MAP_FIELDS.some((field) => field === name));
    if (unknown === undefined) return new Set(MAP_FIELDS.filter((field) => asked.includes(field)));
    addIssue({ message: `has the unknown field ${JSON.stringify(unknown)}; the fields are ${MAP_FIELDS.join(", ")}` });
    return NEVER;
  }),
);

const Place = v.pipe(v.number(), v.integer());

/** The result of checking a map. */
export const CheckedMapResponse = v.strictObject({
  area_km2: v.pipe(
    v.nullable(v.number()),
    v.description("The area of a polygon on the ellipsoid; null for a standard map and a faulty polygon"),
  ),
  cells: v.pipe(v.nullable(Place), v.description("How many 250 m cells a polygon touches; null for a standard map and a faulty polygon")),
  countries: v.pipe(v.array(v.string()), v.description("The countries of the key that the map reaches")),
  errors: v.pipe(
    v.array(
      v.strictObject({
        pointer: v.string(),
        detail: v.string(),
        ring: v.pipe(v.optional(Place), v.description("The number of the ring, from 1; 1 is the shell")),
        point: v.pipe(v.optional(Place), v.description("The number of the point in the ring, from 1")),
      }),
    ),
    v.description("Why the map cannot be saved, or cannot be monitored; empty if it can"),
  ),
});

export const MonitoredMapsResponse = v.strictObject({ count: v.number(), monitored_map_ids: v.array(v.string()) });
export const DeletedMapResponse = v.strictObject({ msg: v.string(), id: v.string() });
