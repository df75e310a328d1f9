import { useSignalEffect } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Fault } from "../controls/fault.tsx";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { ActivitiesPanel } from "./activities-panel.tsx";
import { DayPicker, NoDay } from "./day-picker.tsx";
import { FlowPanel } from "./flow-panel.tsx";
import { OdmPanel } from "./odm-panel.tsx";
import { askAgain, daysFault, hasDay, loadDays, VIEWS, type View, view } from "./state.ts";

const PANELS: Readonly<Record<View, ComponentType>> = { activities: ActivitiesPanel, odm: OdmPanel, flow: FlowPanel };

/** The three products on the map. */
export function ExplorePage(): JSX.Element {
  useSignalEffect(() => loadDays());
  // Another country may lack the product.
  const offered = VIEWS.filter((name) => country.value?.products.some(({ agg_type }) => agg_type === name));
  useEffect(() => {
    const [first] = offered;
    if (first && !offered.includes(view.value)) view.value = first;
  }, [offered]);
  const Panel = PANELS[view.value];
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
      <DayPicker />
      <Fault of={daysFault.value} onAgain={askAgain} />
      {hasDay.value === false ? <NoDay /> : <Panel key={`${view.value} ${country.value?.country_code}`} />}
    </div>
  );
}
