import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { fetchHistory, type Headcount, type PastHeadcount } from "../api/headcounts.ts";
import { formatClock, formatCount } from "../format/format.ts";
import { text } from "../texts.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const [WIDTH, HEIGHT] = [240, 44];

/** The headcounts of a map in the last 24 hours as a small line. The newest one is added as it comes: the past is read once. */
export function Sparkline({ mapId, newest }: { readonly mapId: string; readonly newest: Headcount | undefined }): JSX.Element | null {
  const past = useSignal<readonly PastHeadcount[]>([]);
  // Whole hours, so that the past is not read again each time.
  const start = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 23 * HOUR_MS).toISOString();
  useEffect(() => {
    let isCurrent = true;
    // The number itself tells what fails; without its past it is still right.
    fetchHistory(mapId, start).then(
      (rows) => {
        if (isCurrent) past.value = rows.toReversed();
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [mapId, start]);
  const last = past.value.at(-1);
  const rows = newest && (last === undefined || newest.timestamp > last.timestamp) ? [...past.value, newest] : past.value;
  const counted = rows.filter(({ result }) => result === "SUCCESS");
  const [first, latest] = [counted[0], counted.at(-1)];
  if (!first || !latest || counted.length < 2) return null;
  const most = Math.max(1, ...counted.map(({ subscriber_count }) => subscriber_count));
  const points = counted.map(({ timestamp, subscriber_count }) => {
    const x = ((Date.parse(timestamp) - Date.parse(start)) / DAY_MS) * WIDTH;
    return `${x.toFixed(1)} ${(HEIGHT - 2 - (subscriber_count / most) * (HEIGHT - 6)).toFixed(1)}`;
  });
  const label = text("headcount.past", {
    from: formatClock(first.timestamp),
    to: formatClock(latest.timestamp),
    most: formatCount(most),
  });
  return (
    <div>
      <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <path d={`M${points.join("L")}`} />
      </svg>
      <p class="hint">{label}</p>
    </div>
  );
}
