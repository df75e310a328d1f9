import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Plain } from "../controls/plain.tsx";
import { formatCount, formatDecimal } from "../format/format.ts";
import { showBox } from "../map-view/map-state.ts";
import { text } from "../texts.ts";
import { check, draft, refusal } from "./draft.ts";
import { positionIn } from "./wkt.ts";

/** The fields that show their own faults. */
const FIELDS = ["/name", "/description"];

/** What the service refused about a field. */
export function faultAt(pointer: string): string | undefined {
  return refusal.value.find((fault) => fault.pointer === pointer)?.detail;
}

/** The area and the cells of the draft, or its faults, each with a way to its point on the map. */
export function CheckResult(): JSX.Element {
  const faults = [...(check.value?.errors ?? []), ...refusal.value].filter(({ pointer }) => !FIELDS.includes(pointer));
  const checked = check.value;
  const picked = draft.value?.picked.size ?? 0;
  const place = useRef<HTMLDivElement>(null);
  const isFaulty = faults.length > 0;
  useEffect(() => {
    if (isFaulty) place.current?.scrollIntoView({ block: "nearest" });
  }, [isFaulty]);
  return (
    <div ref={place} class="check" aria-live="polite">
      {isFaulty && (
        <ul class="faults">
          {faults.map(({ detail, ring, point }) => {
            const position = positionIn(draft.value?.wkt ?? "", ring, point);
            return (
              <li key={`${detail} ${ring} ${point}`} class="fault">
                <Plain value={detail} />
                {position && (
                  <button type="button" class="link" onClick={() => showBox([position[0], position[1], position[0], position[1]])}>
                    {text("draft.showPoint")}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {checked && !isFaulty && (
        <p class="sound">
          {checked.area_km2 === null
            ? text("draft.picked", { count: formatCount(picked) })
            : text("draft.area", { area: formatDecimal(checked.area_km2), cells: formatCount(checked.cells ?? 0) })}
        </p>
      )}
    </div>
  );
}
