import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Fault } from "../controls/fault.tsx";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { ActivitiesPanel } from "./activities-panel.tsx";
import { FlowPanel } from "./flow-panel.tsx";
import { OdmPanel } from "./odm-panel.tsx";
import { askAgain, chooseDay, day, days, daysFault, loadDays, moveDay, VIEWS, view } from "./state.ts";

/** The three products on the map. */
export function ExplorePage(): JSX.Element {
  useSignalEffect(() => loadDays());
  // Another country may lack the product.
  const offered = VIEWS.filter((name) => country.value?.products.some(({ agg_type }) => agg_type === name));
  useEffect(() => {
    const [first] = offered;
    if (first && !offered.includes(view.value)) view.value = first;
  }, [offered]);
  return (
    <div class="panel explore">
      <h1 class="visually-hidden">{text("page.explore")}</h1>
      <fieldset class="choices tabs">
        <legend class="visually-hidden">{text("explore.product")}</legend>
        {VIEWS.map((name) => (
          <label key={name} class="choice">
            <input
              type="radio"
              name="view"
              checked={view.value === name}
              disabled={!offered.includes(name)}
              onChange={() => {
                view.value = name;
              }}
            />
            <span>{text(`explore.${name}`)}</span>
          </label>
        ))}
      </fieldset>
      <div class="day-row">
        <button type="button" aria-label={text("explore.previousDay")} onClick={() => moveDay(-1)}>
          ‹
        </button>
        <input
          type="date"
          aria-label={text("explore.day")}
          value={day.value ?? ""}
          min={days.value[0]}
          max={days.value.at(-1)}
          onChange={({ currentTarget }) => chooseDay(currentTarget.value)}
        />
        <button type="button" aria-label={text("explore.nextDay")} onClick={() => moveDay(1)}>
          ›
        </button>
      </div>
      <Fault of={daysFault.value} onAgain={askAgain} />
      {view.value === "activities" && <ActivitiesPanel />}
      {view.value === "odm" && <OdmPanel key={country.value?.country_code} />}
      {view.value === "flow" && <FlowPanel key={country.value?.country_code} />}
    </div>
  );
}
