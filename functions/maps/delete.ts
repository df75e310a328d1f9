import * as v from "valibot";
import { defineEndpoint, nothing, reply } from "../../shared/endpoint/define.ts";
import { noSuchMap } from "../../shared/maps/respond.ts";
import { DeletedMapResponse, MapId } from "../../shared/schemas/map.ts";
import { openMaps } from "../../shared/stores/maps.ts";

export default defineEndpoint({
  file: "maps/delete",
  api: "users",
  method: "DELETE",
  path: "/admin/maps/{id}",
  summary: "Delete a map",
  auth: {},
  params: v.strictObject({ id: MapId }),
  query: nothing,
  body: nothing,
  responses: { 200: DeletedMapResponse },
  uses: (config) => ({ maps: openMaps(config) }),
  handler: async ({ params, caller }, { maps }) => {
    if (!(await maps.remove(caller.uid, params.id))) throw noSuchMap();
    return reply(200, { msg: "Map deleted", id: params.id });
  },
});
