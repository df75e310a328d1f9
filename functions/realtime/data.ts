import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { openCovered } from "../../shared/maps/measured-in.ts";
import { markStale } from "../../shared/realtime/headcount.ts";
import { RealtimeDataResponse } from "../../shared/realtime/schemas.ts";
import { openSnapshotReader } from "../../shared/realtime/snapshots.ts";

export default defineEndpoint({
  file: "realtime/data",
  api: "data",
  method: "GET",
  path: "/admin/realtime/data",
  summary: "Get the latest headcounts of all monitored maps",
  description:
    "One row per monitored map, from a table that is written every five minutes. `result` says whether there is a headcount. Maps that have been " +
    "measured in a country that the key does not cover are left out.",
  auth: { scope: "realtime" },
  params: noInput,
  query: noInput,
  body: noInput,
  responses: { 200: RealtimeDataResponse },
  dependencies: (config) => ({ readSnapshot: openSnapshotReader(config), covered: openCovered(config) }),
  handler: async ({ caller }, { readSnapshot, covered }, { now }) => {
    const headcounts = await covered(caller, await readSnapshot(caller.uid));
    const rows = headcounts.map((headcount) => {
      const { timestamp, targetId, targetName, result, peopleCount } = markStale(headcount, now());
      return { timestamp: timestamp.toISOString(), target_id: targetId, target_name: targetName, result, subscriber_count: peopleCount };
    });
    return reply(200, { rows });
  },
});
