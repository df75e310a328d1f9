import * as v from "valibot";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { openMapReader } from "../../shared/maps/maps.ts";
import { entityTag, mapResponse, noSuchMap } from "../../shared/maps/respond.ts";
import { MapIdInPath, MapResponse } from "../../shared/maps/schemas.ts";

export default defineEndpoint({
  file: "maps/show",
  api: "users",
  method: "GET",
  path: "/admin/maps/{id}",
  summary: "Get a map",
  description: "The `ETag` is for `If-Match` of a change.",
  auth: {},
  params: v.strictObject({ id: MapIdInPath }),
  query: noInput,
  body: noInput,
  responses: { 200: MapResponse },
  responseHeaders: { 200: ["ETag"] },
  dependencies: (config) => ({ maps: openMapReader(config) }),
  handler: async ({ params, caller }, { maps }) => {
    const map = await maps.get(params.id);
    if (!map || map.uid !== caller.uid) throw noSuchMap();
    return reply(200, mapResponse(map), { etag: entityTag(map) });
  },
});
