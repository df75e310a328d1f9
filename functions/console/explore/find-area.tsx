import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { findGeographies } from "../api/geographies.ts";
import { boxAround } from "../api/geometry.ts";
import { Fault } from "../controls/fault.tsx";
import { FindForm } from "../controls/find-form.tsx";
import { showBox } from "../map-view/map-state.ts";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { areas, selected, shownType, toggleSelected } from "./activities-state.ts";

/** Chooses an area by its name: what a click on the map does, for those who do not use one. */
export function FindArea(): JSX.Element {
  const name = useSignal("");
  /** A sentence about what was typed, or what was thrown when the service was asked. */
  const fault = useSignal<unknown>(undefined);
  const choose = async (): Promise<void> => {
    const [code, geoType] = [country.peek()?.country_code, shownType.peek()];
    if (code === undefined || geoType === undefined || name.peek().trim() === "") return;
    try {
      const [first] = await findGeographies({ country: code, geoType, name: name.peek().trim() }, 1);
      fault.value = first ? undefined : text("odm.noArea");
      if (!first || geoType !== shownType.peek()) return;
      if (!selected.peek().includes(first.id)) toggleSelected(first.id);
      // Of small areas only those in the view are there.
      if (!areas.peek().has(first.id)) showBox(boxAround([first.geometry]));
    } catch (error) {
      fault.value = error;
    }
  };
  return (
    <>
      <FindForm label={text("odm.name")} placeholder={text("odm.name")} typed={name} onFind={() => void choose()} />
      <Fault of={fault.value} onAgain={fault.value instanceof Error ? () => void choose() : undefined} />
    </>
  );
}
