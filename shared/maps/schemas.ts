import * as v from "valibot";
import type { GEO_TYPES } from "../countries/country-rules.ts";
import { CountryCode, GeoIds } from "../countries/request-fields.ts";
import { parsePolygon } from "../geometry/wkt.ts";
import { NO_CONTROL, WholeNumber } from "../http/fields.ts";

/** The standard types: the geography types whose ids a map can list. */
const STANDARD_TYPES = [
  "grid_250m",
  "grid_1000m",
  "admin_level_2",
  "admin_level_4",
] as const satisfies readonly (typeof GEO_TYPES)[number][];
export const MAP_TYPES = ["custom_polygon", ...STANDARD_TYPES] as const;
const MapTypeName = v.pipe(v.picklist(MAP_TYPES), v.title("MapType"));
export type MapType = (typeof MAP_TYPES)[number];

/** Control characters are not allowed, because lists and terminals show names. */
const MapName = v.pipe(
  v.string(),
  v.maxLength(200, "must be at most 200 characters"),
  v.check((name) => name.trim() !== "", "must not be empty"),
  NO_CONTROL,
  v.metadata({ pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$" }),
);
const Description = v.pipe(
  v.string(),
  v.maxLength(2000, "must be at most 2,000 characters"),
  v.regex(/^[\P{Cc}\n\t]*$/u, "must hold no control characters"),
  v.metadata({ pattern: "^[^\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]*$" }),
);

/** A WKT polygon, stored as sent. An error names the ring and the point. */
const Geometry = v.pipe(
  v.string("must be a WKT text: POLYGON((lon lat, lon lat, ...))"),
  v.metadata({
    description: "WKT: POLYGON((lon lat, lon lat, ...)), longitude first, each ring closed by its first point",
    pattern: "^\\s*[Pp][Oo][Ll][Yy][Gg][Oo][Nn]\\s*[(].*[)]\\s*$",
    examples: ["POLYGON((24.74 59.43, 24.76 59.43, 24.76 59.44, 24.74 59.44, 24.74 59.43))"],
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const result = parsePolygon(dataset.value);
    if (!result.ok) addIssue({ message: result.detail });
  }),
);

const NotWithStandard = v.optional(v.never("is allowed only with type custom_polygon"));
const NotWithPolygon = v.optional(v.never("is allowed only with the standard types"));

/** The body that creates a map: a polygon with a geometry, or a standard map with ids. */
export const CreateMapBody = v.pipe(
  v.variant("type", [
    v.pipe(
      v.strictObject({
        name: MapName,
        description: v.optional(Description, ""),
        type: v.literal("custom_polygon"),
        geometry: Geometry,
        ids: NotWithPolygon,
        country_code: NotWithPolygon,
      }),
      v.title("CreatePolygonMap"),
    ),
    v.pipe(
      v.strictObject({
        name: MapName,
        description: v.optional(Description, ""),
        type: v.picklist(STANDARD_TYPES),
        geometry: NotWithStandard,
        ids: GeoIds,
        country_code: v.optional(CountryCode),
      }),
      v.title("CreateStandardMap"),
    ),
  ]),
  v.metadata({ title: "CreateMap", discriminator: { propertyName: "type" } }),
);
export type CreateMapBody = v.InferOutput<typeof CreateMapBody>;

/** The fields of a map to change. `id` and `owner` are allowed if unchanged. */
export const UpdateMapBody = v.pipe(
  v.strictObject({
    id: v.optional(v.string()),
    owner: v.optional(v.string()),
    name: v.optional(MapName),
    description: v.optional(Description),
    type: v.optional(MapTypeName),
    geometry: v.optional(Geometry),
    ids: v.optional(GeoIds),
    country_code: v.optional(CountryCode),
  }),
  v.title("UpdateMap"),
);
export type UpdateMapBody = v.InferOutput<typeof UpdateMapBody>;

/** A map's id: 20 letters and digits. */
export const MapId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9]{20}$/, "must be the id of a map: 20 letters and digits"));

const MapFields = {
  id: MapId,
  name: v.string(),
  description: v.string(),
  type: MapTypeName,
  geometry: v.optional(v.string()),
  ids: v.optional(v.array(WholeNumber)),
  country_code: v.optional(v.string()),
  owner: v.string(),
};

const MapResponse = v.pipe(v.strictObject(MapFields), v.title("AdminMap"));
export const SavedMapResponse = v.pipe(v.strictObject({ msg: v.string(), ...MapFields }), v.title("SavedMap"));
export const MapListResponse = v.pipe(
  v.strictObject({ maps: v.array(MapResponse), next_cursor: v.optional(v.nullable(v.string())) }),
  v.title("MapList"),
);
export const MonitoredMapsResponse = v.pipe(
  v.strictObject({ count: WholeNumber, monitored_map_ids: v.array(v.string()) }),
  v.title("MonitoredMaps"),
);
export const DeletedMapResponse = v.pipe(v.strictObject({ msg: v.string(), id: v.string() }), v.title("DeletedMap"));
