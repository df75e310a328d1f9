import * as v from "valibot";
import type { GEO_TYPES } from "../countries/country-rules.ts";
import { CountryCode, MapGeoIds } from "../countries/request-fields.ts";
import { maxCharacters, WholeNumber } from "../http/fields.ts";
import { visible, visiblePattern } from "../runtime/visible-text.ts";

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

/** Invisible characters are not allowed, because lists and terminals show names. */
const MapName = v.pipe(
  v.string(),
  maxCharacters(200),
  v.check((name) => name.trim() !== "", "must not be empty"),
  visible(),
  v.metadata({ maxLength: 200, pattern: visiblePattern("line", { notBlank: true }) }),
  v.description("Without controls, marks of text direction and invisible characters"),
);
const Description = v.pipe(
  v.string(),
  maxCharacters(2000),
  visible("lines"),
  v.metadata({ maxLength: 2000, pattern: visiblePattern("lines") }),
  v.description("Line feeds and tabs are allowed; other controls, marks of text direction and invisible characters are not"),
);

/** A WKT polygon, stored as sent. `checkGeometry` reads it: that takes longer than one turn of the event loop may. */
const Geometry = v.pipe(
  v.string("must be a WKT text: POLYGON((lon lat, lon lat, ...))"),
  v.metadata({
    description: "WKT: POLYGON((lon lat, lon lat, ...)), longitude first, each ring closed by its first point",
    pattern: "^\\s*[Pp][Oo][Ll][Yy][Gg][Oo][Nn]\\s*[(][\\s\\S]*[)]\\s*$",
    examples: ["POLYGON((24.74 59.43, 24.76 59.43, 24.76 59.44, 24.74 59.44, 24.74 59.43))"],
  }),
);

const NotWithStandard = v.optional(v.never("is allowed only with type custom_polygon"));
const NotWithPolygon = v.optional(v.never("is allowed only with the standard types"));

/** What a new map of any type has. Without a type, valibot checks no other member: these are checked all the same, as all variants share them. */
const Named = { name: MapName, description: v.optional(Description, "") };

/** The body that creates a map: a polygon with a geometry, or a standard map with ids. */
export const CreateMapBody = v.pipe(
  v.variant("type", [
    v.pipe(
      v.strictObject({
        ...Named,
        type: v.literal("custom_polygon"),
        geometry: Geometry,
        ids: NotWithPolygon,
        country_code: NotWithPolygon,
      }),
      v.title("CreatePolygonMap"),
    ),
    v.pipe(
      v.strictObject({
        ...Named,
        type: v.picklist(STANDARD_TYPES),
        geometry: NotWithStandard,
        ids: MapGeoIds,
        country_code: v.optional(CountryCode),
      }),
      v.title("CreateStandardMap"),
    ),
  ]),
  v.metadata({ title: "CreateMap", discriminator: { propertyName: "type" } }),
);
export type CreateMapBody = v.InferOutput<typeof CreateMapBody>;

/** The body that checks a map before it is saved: as for creating it, but the name may be missing and the geometry may be any text. */
export const CheckMapBody = v.pipe(
  v.variant("type", [
    v.pipe(
      v.strictObject({
        name: v.optional(v.string()),
        description: v.optional(v.string()),
        type: v.literal("custom_polygon"),
        geometry: v.string("must be a WKT text: POLYGON((lon lat, lon lat, ...))"),
        ids: NotWithPolygon,
        country_code: NotWithPolygon,
      }),
      v.title("CheckPolygonMap"),
    ),
    v.pipe(
      v.strictObject({
        name: v.optional(v.string()),
        description: v.optional(v.string()),
        type: v.picklist(STANDARD_TYPES),
        geometry: NotWithStandard,
        ids: MapGeoIds,
        country_code: v.optional(CountryCode),
      }),
      v.title("CheckStandardMap"),
    ),
  ]),
  v.metadata({ title: "CheckMap", discriminator: { propertyName: "type" } }),
);

/** The fields of a map to change. `id` and `owner` are allowed if unchanged. */
export const UpdateMapBody = v.pipe(
  v.strictObject({
    id: v.optional(v.string()),
    owner: v.optional(v.string()),
    name: v.optional(MapName),
    description: v.optional(Description),
    type: v.optional(MapTypeName),
    geometry: v.optional(Geometry),
    ids: v.optional(MapGeoIds),
    country_code: v.optional(CountryCode),
  }),
  v.title("UpdateMap"),
);
export type UpdateMapBody = v.InferOutput<typeof UpdateMapBody>;

/** A map's id: 20 letters and digits. */
const MAP_ID = /^[A-Za-z0-9]{20}$/;
export const MapId = v.pipe(v.string(), v.regex(MAP_ID, "must be the id of a map: 20 letters and digits"));

/** What is said of an id of no map, of another customer's, and of one that cannot be an id. */
export const NO_SUCH_MAP = "There is no such map";

/** A map's id in a path. */
export const MapIdInPath = v.pipe(v.string(), v.regex(MAP_ID, NO_SUCH_MAP));

const MapFields = {
  id: MapId,
  name: v.string(),
  description: v.string(),
  type: MapTypeName,
  geometry: v.optional(v.string()),
  ids: v.optional(v.array(WholeNumber)),
  country_code: v.optional(v.string()),
  owner: v.string(),
  is_monitored: v.pipe(v.boolean(), v.description("Whether headcounts of the map are measured")),
};

export const MapResponse = v.pipe(v.strictObject(MapFields), v.title("AdminMap"));
/** A map in a list: `fields` may have left out all but its id. */
const ListedMap = v.pipe(v.strictObject({ ...v.partial(v.strictObject(MapFields)).entries, id: MapId }), v.title("ListedMap"));
export const SavedMapResponse = v.pipe(v.strictObject({ msg: v.string(), ...MapFields }), v.title("SavedMap"));
export const MapListResponse = v.pipe(
  v.strictObject({ maps: v.array(ListedMap), next_cursor: v.optional(v.nullable(v.string())) }),
  v.title("MapList"),
);
/** The fields of a map that a list can be asked for. */
const MAP_FIELDS = v.keyof(v.strictObject(MapFields)).options;
type MapField = (typeof MAP_FIELDS)[number];

const ANY_FIELD = ` *(${MAP_FIELDS.join("|")}) *`;

/** The fields that a list of maps shall have, separated by commas. */
export const MapFieldsQuery = v.pipe(
  v.string("must be given once"),
  v.metadata({ pattern: `^${ANY_FIELD}(,${ANY_FIELD})*$` }),
  v.description(`The fields of each map, separated by commas, of ${MAP_FIELDS.join(", ")}; all by default. id is always there`),
  v.rawTransform(({ dataset, addIssue, NEVER }): ReadonlySet<MapField> => {
    const asked = dataset.value.split(",").map((name) => name.trim());
    const unknown = asked.find((name) => !MAP_FIELDS.some((field) => field === name));
    if (unknown === undefined) return new Set(MAP_FIELDS.filter((field) => asked.includes(field)));
    addIssue({ message: `has the unknown field ${JSON.stringify(unknown)}; the fields are ${MAP_FIELDS.join(", ")}` });
    return NEVER;
  }),
);

/** The result of checking a map. */
export const CheckedMapResponse = v.pipe(
  v.strictObject({
    area_km2: v.pipe(
      v.nullable(v.pipe(v.number(), v.minValue(0))),
      v.description("The area of a polygon on the ellipsoid; null for a standard map and a faulty polygon"),
    ),
    cells: v.pipe(
      v.nullable(WholeNumber),
      v.description(
        "How many 250 m cells a polygon touches, in each of its countries: where their extents overlap, a cell counts in both. null for a standard map, a faulty polygon, and one that touches too many",
      ),
    ),
    countries: v.pipe(v.array(v.string()), v.description("The countries of the key that the map reaches")),
    errors: v.pipe(
      v.array(
        v.pipe(
          v.strictObject({
            pointer: v.string(),
            detail: v.string(),
            ring: v.pipe(v.optional(WholeNumber), v.description("The number of the ring, from 1; 1 is the shell")),
            point: v.pipe(v.optional(WholeNumber), v.description("The number of the point in the ring, from 1")),
          }),
          v.title("MapFault"),
        ),
      ),
      v.description("Why the map cannot be saved, or cannot be monitored; empty if it can"),
    ),
  }),
  v.title("CheckedMap"),
);

export const MonitoredMapsResponse = v.pipe(
  v.strictObject({ count: WholeNumber, monitored_map_ids: v.array(v.string()) }),
  v.title("MonitoredMaps"),
);
export const DeletedMapResponse = v.pipe(v.strictObject({ msg: v.string(), id: v.string() }), v.title("DeletedMap"));
