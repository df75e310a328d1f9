import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { findGeographies, type Geography } from "../api/geographies.ts";
import { Fault } from "../controls/fault.tsx";
import { Plain } from "../controls/plain.tsx";
import { formatCount } from "../format/format.ts";
import { GeographiesInView } from "../map-view/geographies-in-view.tsx";
import { text } from "../texts.ts";
import { draft, togglePicked } from "./draft.ts";

const FOUND_MAX = 30;
const SEARCH_AFTER_MS = 250;

/** Picks municipalities, districts or cells: by a click on the map, or by name. */
export function AreaPicker(): JSX.Element {
  const search = useSignal("");
  const found = useSignal<readonly Geography[]>([]);
  const fault = useSignal<string | undefined>(undefined);
  useSignalEffect(() => {
    const name = search.value.trim();
    const { type, countryCode } = draft.peek() ?? {};
    if (name === "" || type === undefined || countryCode === undefined) {
      found.value = [];
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      findGeographies({ country: countryCode, geoType: type, name, signal: abort.signal }, FOUND_MAX).then(
        (list) => {
          found.value = list.slice(0, FOUND_MAX);
          fault.value = undefined;
        },
        (error: unknown) => {
          if (!abort.signal.aborted) fault.value = messageOf(error);
        },
      );
    }, SEARCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });
  const picked = draft.value?.picked ?? new Map<number, string>();
  return (
    <div class="picker">
      {draft.value?.countryCode !== undefined && (
        <GeographiesInView
          country={draft.value.countryCode}
          geoType={draft.value.type}
          picked={new Set(picked.keys())}
          onPick={({ id, name }) => togglePicked(id, name)}
        />
      )}
      <p class="hint">{text("pick.hint")}</p>
      <label for="pick-search">{text("pick.search")}</label>
      <input
        id="pick-search"
        type="search"
        value={search.value}
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value;
        }}
      />
      <Fault of={fault.value} />
      {search.value.trim() !== "" && (
        <ul class="rows compact" aria-label={text("pick.found")}>
          {found.value.map(({ id, name }) => (
            <li key={id}>
              <label class="row">
                <input type="checkbox" checked={picked.has(id)} onChange={() => togglePicked(id, name)} />
                <Plain value={name} />
                <span class="hint mono">{id}</span>
              </label>
            </li>
          ))}
          {found.value.length === 0 && <li class="hint">{text("pick.none")}</li>}
        </ul>
      )}
      <h2>{text("pick.picked", { count: formatCount(picked.size) })}</h2>
      <ul class="chips">
        {[...picked].slice(0, 100).map(([id, name]) => (
          <li key={id}>
            <Plain value={name} />
            <button type="button" class="icon" aria-label={text("pick.remove", { name })} onClick={() => togglePicked(id, name)}>
              ×
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
