import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { fetchHistory, type Headcount, type PastHeadcount } from "../api/headcounts.ts";
import { dayOf, dayStart } from "../format/days.ts";
import { formatClock, formatCount, timeZone } from "../format/format.ts";
import { text } from "../texts.ts";

const DAY_MS = 86_400_000;
const [WIDTH, HEIGHT] = [240, 44];

/** The headcounts of a map since midnight as a small line. The newest one is added as it comes: the past is read once. */
export function Sparkline({ mapId, newest }: { readonly mapId: string; readonly newest: Headcount | undefined }): JSX.Element | null {
  const past = useSignal<readonly PastHeadcount[]>([]);
  const start = dayStart(dayOf(Date.now(), timeZone()), timeZone());
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
  const label = text("headcount.today.label", {
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
