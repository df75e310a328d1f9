import type { Headcount } from "../api/headcounts.ts";
import { formatCount, formatTime } from "../format/format.ts";
import { text } from "../texts.ts";

/** How a headcount is shown: what stands in the place of the number, and what explains it. */
interface Description {
  readonly kind: "number" | "withheld" | "stale" | "none" | "outside" | "awaited";
  readonly value: string;
  readonly explanation: string;
}

/** Describes the newest headcount of a monitored map. */
export function describeHeadcount(row: Headcount | undefined, isAwaited: boolean): Description {
  if (!row) return { kind: "awaited", value: "…", explanation: text(isAwaited ? "headcount.measuring" : "headcount.awaited") };
  const time = formatTime(row.timestamp);
  switch (row.result) {
    case "SUCCESS":
      return { kind: "number", value: formatCount(row.subscriber_count), explanation: text("headcount.people", { time }) };
    case "SUPPRESSED":
      return { kind: "withheld", value: text("headcount.withheld"), explanation: text("headcount.withheld.why", { time }) };
    case "STALE":
      return { kind: "stale", value: text("headcount.stale"), explanation: text("headcount.stale.why", { time }) };
    case "NO_DATA":
      return { kind: "none", value: text("headcount.noData"), explanation: text("headcount.noData.why") };
    case "OUT_OF_COVERAGE":
      return { kind: "outside", value: text("headcount.outside"), explanation: text("headcount.outside.why") };
  }
}

/** What stands at an area on the map: the number, or the word for a state without one. */
export function labelOf({ kind, value }: Description): string {
  return kind === "number" || kind === "awaited" ? value : value.toLocaleLowerCase();
}
