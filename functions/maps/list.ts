import * as v from "valibot";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { decodeListCursor, encodeListCursor } from "../../shared/http/list-cursor.ts";
import { Cursor, limitUpTo } from "../../shared/http/paging.ts";
import { openMaps } from "../../shared/maps/maps.ts";
import { mapResponse } from "../../shared/maps/respond.ts";
import { MapId, MapListResponse } from "../../shared/maps/schemas.ts";
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
  query: v.strictObject({ limit: v.optional(limitUpTo(LIMIT_MAX, "1 to 1,000; all maps by default")), cursor: v.optional(Cursor) }),
  body: noInput,
  responses: { 200: MapListResponse },
  dependencies: (config) => ({ maps: openMaps(config, snapshotRows) }),
  handler: async ({ query, caller }, { maps }) => {
    if (query.limit === undefined && query.cursor === undefined)
      return reply(200, { maps: (await maps.list(caller.uid)).map(mapResponse) });
    const limit = query.limit ?? LIMIT_MAX;
    const after = query.cursor === undefined ? {} : { after: decodeListCursor(query.cursor, MapId) };
    const page = await maps.list(caller.uid, { limit: limit + 1, ...after });
    const last = page.length > limit ? page[limit - 1] : undefined;
    return reply(200, { maps: page.slice(0, limit).map(mapResponse), next_cursor: last ? encodeListCursor(last) : null });
  },
});
