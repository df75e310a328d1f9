import * as v from "valibot";
import { type Statement, statement } from "../google/statement.ts";
import type { ListCursor } from "../http/list-cursor.ts";
import { RESULTS } from "./headcount.ts";

/** A past headcount of a map. `people_count` is 0 unless `result` is SUCCESS. */
const HistoryRow = v.object({
  timestamp: v.pipe(
    v.object({ value: v.string() }),
    v.transform(({ value }) => new Date(value)),
  ),
  result: v.picklist(RESULTS),
  people_count: v.number(),
});
type HistoryRow = v.InferOutput<typeof HistoryRow>;

/** Which headcounts of a map: those measured from `start` to before `end`, and after the page that ended with `after`, if any. */
interface HistoryOf {
  readonly uid: string;
  readonly mapId: string;
  readonly start: Date;
  readonly end: Date;
  /** Its `createdAt` is a measurement, its `id` a result. */
  readonly after?: ListCursor | undefined;
}

/**
 * Returns a query of a map's headcounts, newest measurement first, as the customer's own views have them: one row per measurement and
 * result. It reads the days of the window only, and of these the blocks with the customer's map, by which the table is clustered.
 */
export function historyStatement({ uid, mapId, start, end, after }: HistoryOf, rowsMax: number): Statement<HistoryRow> {
  const following = "\n  AND timestamp <= @last_timestamp AND (timestamp < @last_timestamp OR result > @last_result)";
  return statement(
    HistoryRow,
    `SELECT timestamp, result, people_count
FROM \`realtime.headcounts\`
WHERE uid = @uid AND target_id = @map_id AND timestamp >= @start AND timestamp < @end${after ? following : ""}
QUALIFY ROW_NUMBER() OVER (PARTITION BY timestamp, result ORDER BY tick DESC) = 1
ORDER BY timestamp DESC, result
LIMIT @rows_max`,
    {
      uid: { type: "STRING", value: uid },
      map_id: { type: "STRING", value: mapId },
      start: { type: "TIMESTAMP", value: start.toISOString() },
      end: { type: "TIMESTAMP", value: end.toISOString() },
      rows_max: { type: "INT64", value: rowsMax },
      ...(after && {
        last_timestamp: { type: "TIMESTAMP", value: after.createdAt.toISOString() },
        last_result: { type: "STRING", value: after.id },
      }),
    },
  );
}
