import type { JSX } from "preact";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { formatZone } from "../format/format.ts";
import { text } from "../texts.ts";
import { describeHeadcount } from "./describe.ts";
import { headcounts, headcountsFault, isAwaited } from "./headcounts.ts";
import { Sparkline } from "./sparkline.tsx";

/** The newest headcount of a map with its time, or why there is none. */
export function HeadcountCard({ mapId }: { readonly mapId: string }): JSX.Element {
  const { kind, value, explanation } = describeHeadcount(headcounts.value.get(mapId), isAwaited(mapId));
  return (
    <div class="headcount" aria-live="polite">
      <p class={`big ${kind}`} data-kind={kind}>
        {value}
      </p>
      <p class="hint">{explanation}</p>
      {kind === "number" && <p class="hint">{text("time.zone", { zone: formatZone() })}</p>}
      <Sparkline mapId={mapId} newest={headcounts.value.get(mapId)} />
      {headcountsFault.value !== undefined && <p class="fault">{text("headcount.fault", { reason: messageOf(headcountsFault.value) })}</p>}
    </div>
  );
}
