import type { JSX } from "preact";
import { WordOptions } from "../controls/word-options.tsx";
import { formatShort } from "../format/format.ts";
import { palette } from "../map-view/palette.ts";
import { text, textOr } from "../texts.ts";
import { bounds, classing, measure } from "./activities-state.ts";

const CLASSINGS = ["quantile", "equal"] as const;

/** What the colours mean, and how values are put in classes. */
export function Legend(): JSX.Element {
  const steps = bounds.value;
  const { ramp } = palette.value;
  const word = `measure.${measure.value}`;
  return (
    <section class="legend" aria-label={text("legend.title")}>
      <div class="legend-head">
        <h2>{textOr(word, measure.value)}</h2>
        <select
          aria-label={text("legend.classes")}
          value={classing.value}
          onChange={({ currentTarget }) => {
            classing.value = CLASSINGS.find((name) => name === currentTarget.value) ?? "quantile";
          }}
        >
          <WordOptions values={CLASSINGS} prefix="legend" />
        </select>
      </div>
      {steps.length > 0 && (
        <ul class="swatches">
          {steps.map((bound, index) => (
            <li key={bound}>
              <span class="swatch" style={{ background: ramp[index] }} />
              <span class="number">
                {index + 1 < steps.length ? formatShort(bound) : text("legend.from", { value: formatShort(bound) })}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p class="hint">
        <span class="swatch hatched" /> {text("legend.withheld")}
      </p>
    </section>
  );
}
