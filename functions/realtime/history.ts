import * as v from "valibot";
import { openInteractiveWarehouse } from "../../shared/budgets/interactive-warehouse.ts";
import { defineEndpoint, noInput, reply } from "../../shared/http/define-endpoint.ts";
import { ServiceError } from "../../shared/http/errors.ts";
import { decodeListCursor, encodeListCursor } from "../../shared/http/list-cursor.ts";
import { openMapReader } from "../../shared/maps/maps.ts";
import { openCovered } from "../../shared/maps/measured-in.ts";
import { noSuchMap } from "../../shared/maps/respond.ts";
import { RESULTS } from "../../shared/realtime/headcount.ts";
import { historyStatement } from "../../shared/realtime/history.ts";
import { HistoryQuery, HistoryResponse } from "../../shared/realtime/schemas.ts";

export default defineEndpoint({
  file: "realtime/history",
  api: "data",
  method: "GET",
  path: "/admin/realtime/history",
  summary: "Get the past headcounts of a map, newest first",
  description:
    "The headcounts measured from `start_time` to before `end_time`, of at most 400 days: they are kept for so long. A map has one row per measurement and result. A map that is no longer monitored keeps its headcounts; one that never was has none. The key must cover the countries in which the map has been measured. Pages follow `next_cursor`.",
  auth: { scope: "realtime" },
  params: noInput,
  query: HistoryQuery,
  body: noInput,
  responses: { 200: HistoryResponse },
  refusals: ["not_found"],
  opensEarly: true,
  dependencies: (config, now) => ({
    maps: openMapReader(config),
    covered: openCovered(config),
    warehouse: openInteractiveWarehouse(config, now),
  }),
  handler: async ({ query, caller }, { maps, covered, warehouse }) => {
    const { map_id: mapId, start_time: start, end_time: end, limit, cursor } = query;
    const after = cursor === undefined ? undefined : decodeListCursor(cursor, v.picklist(RESULTS));
    const map = await maps.get(mapId);
    if (!map || map.uid !== caller.uid) throw noSuchMap();
    if ((await covered(caller, [map])).length === 0)
      throw new ServiceError(
        "permission_denied",
        `This key does not cover all countries in which the map has been measured (${map.measuredIn?.join(", ") ?? "all of the customer's"}); it covers ${caller.countries.join(", ") || "no country"}`,
      );
    // One extra row shows whether there is a next page.
    const asked = historyStatement({ uid: caller.uid, mapId, start, end, after }, limit + 1);
    const found = await warehouse.query(asked, { customer: caller.uid, purpose: "history" });
    const last = found.length > limit ? found[limit - 1] : undefined;
    return reply(200, {
      rows: found.slice(0, limit).map(({ timestamp, result, people_count }) => ({
        timestamp: timestamp.toISOString(),
        result,
        subscriber_count: people_count,
      })),
      next_cursor: last ? encodeListCursor({ createdAt: last.timestamp, id: last.result }) : null,
    });
  },
});
