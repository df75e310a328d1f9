import * as v from "valibot";
import { defineEndpoint, nothing, reply } from "../../shared/endpoint/define.ts";
import { decodeCursor, encodeCursor } from "../../shared/maps/cursor.ts";
import { mapResponse } from "../../shared/maps/respond.ts";
import { MapListResponse } from "../../shared/schemas/map.ts";
import { openMaps } from "../../shared/stores/maps.ts";

const LIMIT_MAX = 1000;
const Limit = v.pipe(
  v.string(),
  v.regex(/^\d{1,4}$/, `must be a whole number from 1 to ${LIMIT_MAX}`),
  v.transform(Number),
  v.minValue(1, `must be a whole number from 1 to ${LIMIT_MAX}`),
  v.maxValue(LIMIT_MAX, `must be a whole number from 1 to ${LIMIT_MAX}`),
);

export default defineEndpoint({
  file: "maps/list",
  api: "users",
  method: "GET",
  path: "/admin/maps",
  summary: "List the customer's maps, oldest first",
  auth: {},
  params: nothing,
  query: v.strictObject({ limit: v.optional(Limit), cursor: v.optional(v.string()) }),
  body: nothing,
  responses: { 200: MapListResponse },
  uses: (config) => ({ maps: openMaps(config) }),
  handler: async ({ query, caller }, { maps }) => {
    if (query.limit === undefined && query.cursor === undefined)
      return reply(200, { maps: (await maps.list(caller.uid)).map(mapResponse) });
    const limit = query.limit ?? LIMIT_MAX;
    const after = query.cursor === undefined ? {} : { after: decodeCursor(query.cursor) };
    const page = await maps.list(caller.uid, { limit: limit + 1, ...after });
    const last = page.length > limit ? page[limit - 1] : undefined;
    return reply(200, { maps: page.slice(0, limit).map(mapResponse), next_cursor: last ? encodeCursor(last) : null });
  },
});
