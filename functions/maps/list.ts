import * as v from "valibot";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { decodeListCursor, encodeListCursor } from "../../shared/http/list-cursor.ts";
import { Cursor, limitUpTo } from "../../shared/http/paging.ts";
import { fittingCount } from "../../shared/maps/list-page.ts";
import { openMapReader } from "../../shared/maps/maps.ts";
import { briefMapResponse, mapResponse } from "../../shared/maps/respond.ts";
import { MapFieldsQuery, MapId, MapListResponse } from "../../shared/maps/schemas.ts";

const LIMIT_MAX = 1000;
/** A customer's maps take 16 MiB by default, and about four times as much while they are read and written as JSON. */
const AT_ONCE = 2;

export default defineEndpoint({
  file: "maps/list",
  api: "users",
  method: "GET",
  path: "/admin/maps",
  summary: "List the customer's maps, oldest first",
  description:
    "A page has at most 1,000 maps and 8 MiB, so it may have fewer than `limit`. While `next_cursor` is a text, more maps follow; a list that is " +
    "complete without `limit` and `cursor` has none. `fields` leaves out geometries.",
  auth: {},
  params: noInput,
  query: v.strictObject({
    limit: v.optional(limitUpTo(LIMIT_MAX, "1 to 1,000; 1,000 by default")),
    cursor: v.optional(Cursor),
    fields: v.optional(MapFieldsQuery),
  }),
  body: noInput,
  responses: { 200: MapListResponse },
  atOnce: AT_ONCE,
  dependencies: (config) => ({ maps: openMapReader(config) }),
  handler: async ({ query: { limit: asked, cursor, fields }, caller }, { maps }, { turn }) => {
    const isBrief = fields !== undefined && !fields.has("geometry") && !fields.has("ids");
    const respond = fields === undefined ? mapResponse : (map: Parameters<typeof mapResponse>[0]) => briefMapResponse(map, fields);
    const limit = asked ?? LIMIT_MAX;
    const after = cursor === undefined ? {} : { after: decodeListCursor(cursor, MapId) };
    if (!isBrief) await turn();
    const found = await maps.list(caller.uid, { limit: limit + 1, isBrief, ...after });
    const responses = found.map(respond);
    const count = fittingCount(responses, limit);
    const last = found.length > count ? found[count - 1] : undefined;
    const isPaged = asked !== undefined || cursor !== undefined || last !== undefined;
    return reply(200, { maps: responses.slice(0, count), ...(isPaged ? { next_cursor: last ? encodeListCursor(last) : null } : {}) });
  },
});
