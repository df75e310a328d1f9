import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { openMapReader } from "../../shared/maps/maps.ts";
import { MonitoredMapsResponse } from "../../shared/maps/schemas.ts";

export default defineEndpoint({
  file: "maps/list-monitored",
  api: "users",
  method: "GET",
  path: "/admin/maps/monitored",
  summary: "List the ids of the customer's monitored maps",
  description: "These are measured every five minutes.",
  auth: {},
  params: noInput,
  query: noInput,
  body: noInput,
  responses: { 200: MonitoredMapsResponse },
  dependencies: (config) => ({ maps: openMapReader(config) }),
  handler: async ({ caller }, { maps }) => {
    const ids = await maps.monitoredIds(caller.uid);
    return reply(200, { count: ids.length, monitored_map_ids: ids });
  },
});
