import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { folded } from "../../../shared/geographies/folded-name.ts";
import type { AdminMap } from "../api/maps.ts";
import { Fault } from "../controls/fault.tsx";
import { Plain } from "../controls/plain.tsx";
import { formatCount } from "../format/format.ts";
import { describeHeadcount } from "../headcounts/describe.ts";
import { headcounts, isAwaited } from "../headcounts/headcounts.ts";
import { limitsOf } from "../session/limits.ts";
import { session } from "../session/session.ts";
import { addressOfPage } from "../shell/route.ts";
import { text, textOr } from "../texts.ts";
import { openDraft } from "./draft.ts";
import { loadMaps, maps, mapsFault } from "./store.ts";

/** More would make the page slow: people search. */
const LISTED_MAX = 200;

/** The searchable list of maps. */
export function MapsList(): JSX.Element {
  const search = useSignal("");
  const found = useComputed(() => {
    const wanted = folded(search.value.trim());
    return (maps.value ?? []).filter(({ name, description }) => folded(`${name}\n${description}`).includes(wanted));
  });
  const me = session.value?.me;
  const limit = me && limitsOf(me).find(({ name }) => name === "maps")?.most;
  return (
    <>
      <div class="panel-head">
        <h1>{text("page.maps")}</h1>
        <button type="button" class="primary" onClick={() => openDraft()}>
          {text("maps.new")}
        </button>
      </div>
      {maps.value === undefined && mapsFault.value === undefined && <p class="muted">{text("loading")}</p>}
      <Fault of={mapsFault.value} onAgain={() => void loadMaps()} />
      {maps.value !== undefined && maps.value.length === 0 && (
        <div class="empty">
          <p>{text("maps.none")}</p>
        </div>
      )}
      {maps.value !== undefined && maps.value.length > 0 && (
        <>
          <input
            type="search"
            aria-label={text("maps.search")}
            placeholder={text("maps.search")}
            value={search.value}
            onInput={({ currentTarget }) => {
              search.value = currentTarget.value;
            }}
          />
          <p class="hint" aria-live="polite">
            {limit === undefined || search.value.trim() !== ""
              ? text("maps.found", { count: formatCount(found.value.length) })
              : text("maps.count", { count: formatCount(found.value.length), limit: formatCount(limit) })}
            {found.value.length > LISTED_MAX && ` · ${text("maps.listed", { count: LISTED_MAX })}`}
          </p>
          <ul class="rows">
            {found.value.slice(0, LISTED_MAX).map((map) => (
              <MapRow key={map.id} map={map} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function MapRow({ map }: { readonly map: AdminMap }): JSX.Element {
  const shown = map.is_monitored ? describeHeadcount(headcounts.value.get(map.id), isAwaited(map.id)) : undefined;
  return (
    <li>
      <a class="row" href={addressOfPage("maps", map.id)}>
        <span class="row-text">
          <Plain class="row-name" value={map.name} />
          <span class="hint">{typeName(map)}</span>
        </span>
        {shown && <span class={`count ${shown.kind}`}>{shown.value}</span>}
      </a>
    </li>
  );
}

/** What a map is made of, in words. */
export function typeName({ type, ids }: Pick<AdminMap, "type" | "ids">): string {
  const name = `type.${type}`;
  const word = textOr(name, type);
  return ids === undefined ? word : text("maps.ofIds", { count: formatCount(ids.length), type: word });
}
