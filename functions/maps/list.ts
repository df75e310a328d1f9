import * as v from "valibot";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { decodeListCursor, encodeListCursor } from "../../shared/http/list-cursor.ts";
import { Cursor, limitUpTo } from "../../shared/http/paging.ts";
import { openMaps } from "../../shared/maps/maps.ts";
import { briefMapResponse, mapResponse } from "../../shared/maps/respond.ts";
import { MapFieldsQuery, MapId, MapListResponse } from "../../shared/maps/schemas.ts";
import { snapshotRows } from "../../shared/realtime/snapshots.ts";

const LIMIT_MAX = 1000;

export default defineEndpoint({
  file: "maps/list",
  api: "users",
  method: "GET",
  path: "/admin/maps",
  summary: "List the customer's maps, oldest first",
  description: "Without `limit` and `cursor` the answer has all maps.",
  auth: {},
  params: noInput,
  query: v.strictObject({
    limit: v.optional(limitUpTo(LIMIT_MAX, "1 to 1,000; all maps by default")),
    cursor: v.optional(Cursor),
    fields: v.optional(MapFieldsQuery),
  }),
  body: noInput,
  responses: { 200: MapListResponse },
  dependencies: (config) => ({ maps: openMaps(config, snapshotRows) }),
  handler: async ({ query: { limit: asked, cursor, fields }, caller }, { maps }) => {
    const isBrief = fields !== undefined && !fields.has("geometry") && !fields.has("ids");
    const respond = fields === undefined ? mapResponse : (map: Parameters<typeof mapResponse>[0]) => briefMapResponse(map, fields);
    if (asked === undefined && cursor === undefined) return reply(200, { maps: (await maps.list(caller.uid, { isBrief })).map(respond) });
    const limit = asked ?? LIMIT_MAX;
    const after = cursor === undefined ? {} : { after: decodeListCursor(cursor, MapId) };
    const page = await maps.list(caller.uid, { limit: limit + 1, isBrief, ...after });
    const last = page.length > limit ? page[limit - 1] : undefined;
    return reply(200, { maps: page.slice(0, limit).map(respond), next_cursor: last ? encodeListCursor(last) : null });
  },
});
