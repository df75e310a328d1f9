import * as v from "valibot";
import { Instant, Timestamp, WholeNumber } from "../http/fields.ts";
import { Cursor, limitUpTo, NextCursor } from "../http/paging.ts";
import { MapId } from "../maps/schemas.ts";
import { RESULTS } from "./headcount.ts";

export const ToggleBody = v.pipe(v.strictObject({ map_id: MapId, enable: v.boolean() }), v.title("ToggleMonitoring"));

export const ToggleResponse = v.pipe(
  v.strictObject({
    msg: v.string(),
    map_id: v.string(),
    is_monitored: v.boolean(),
    bq_updated_rows: WholeNumber,
  }),
  v.title("MonitoringToggled"),
);

const Result = v.pipe(v.picklist(RESULTS), v.title("HeadcountResult"));
const Count = v.pipe(WholeNumber, v.description("0 unless result is SUCCESS"));

export const RealtimeDataResponse = v.pipe(
  v.strictObject({
    rows: v.array(
      v.pipe(
        v.strictObject({
          timestamp: Timestamp,
          target_id: v.string(),
          target_name: v.string(),
          result: Result,
          subscriber_count: Count,
        }),
        v.title("Headcount"),
      ),
    ),
  }),
  v.title("Headcounts"),
);

/** The longest window of a map's history. Headcounts are kept for as long. */
const WINDOW_DAYS_MAX = 400;
const WINDOW_MS_MAX = WINDOW_DAYS_MAX * 86_400_000;

interface Window {
  readonly start_time: Date;
  readonly end_time: Date;
}

/** The query of `GET /admin/realtime/history`. */
export const HistoryQuery = v.pipe(
  v.strictObject({
    map_id: MapId,
    start_time: Instant,
    end_time: Instant,
    limit: v.optional(limitUpTo(10_000, "1 to 10,000, default 1,000"), "1000"),
    cursor: v.optional(Cursor),
  }),
  v.forward(
    v.partialCheck([["start_time"], ["end_time"]], ({ start_time, end_time }: Window) => start_time < end_time, "must be after start_time"),
    ["end_time"],
  ),
  v.forward(
    v.partialCheck(
      [["start_time"], ["end_time"]],
      ({ start_time, end_time }: Window) => end_time.getTime() - start_time.getTime() <= WINDOW_MS_MAX,
      `must be at most ${WINDOW_DAYS_MAX} days after start_time`,
    ),
    ["end_time"],
  ),
);

export const HistoryResponse = v.pipe(
  v.strictObject({
    rows: v.array(v.pipe(v.strictObject({ timestamp: Timestamp, result: Result, subscriber_count: Count }), v.title("PastHeadcount"))),
    next_cursor: NextCursor,
  }),
  v.title("HeadcountHistory"),
);
