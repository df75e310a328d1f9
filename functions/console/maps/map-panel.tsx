import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { boxAround } from "../api/geometry.ts";
import { type AdminMap, deleteMap, fetchMap, toggleMonitoring } from "../api/maps.ts";
import { Question } from "../controls/dialog.tsx";
import { Plain } from "../controls/plain.tsx";
import { Switch } from "../controls/switch.tsx";
import { visible } from "../controls/visible.ts";
import { HeadcountCard } from "../headcounts/headcount-card.tsx";
import { awaitHeadcount } from "../headcounts/headcounts.ts";
import { readyMap, showBox } from "../map-view/map-state.ts";
import { mayReadRealtime, refreshSession } from "../session/session.ts";
import { Icon } from "../shell/icons.tsx";
import { notify, notifyFault } from "../shell/notices.tsx";
import { addressOfPage, go } from "../shell/route.ts";
import { text } from "../texts.ts";
import { openDraft } from "./draft.ts";
import { typeName } from "./maps-list.tsx";
import { loadWhole, maps, namesOf, putMap, removeMap, shapes } from "./store.ts";

/** One map: its headcount, and what can be done with it. */
export function MapPanel({ id }: { readonly id: string }): JSX.Element {
  const map = maps.value?.find((one) => one.id === id);
  useEffect(() => {
    if (map) loadWhole(map);
  }, [map]);
  // The map moves there when the shape is known, and only then.
  const shown = useSignal(false);
  useSignalEffect(() => {
    const parts = shapes.value.get(id) ?? [];
    if (shown.peek() || parts.length === 0 || !readyMap.value) return;
    shown.value = true;
    showBox(boxAround(parts));
  });
  return (
    <>
      <a class="back" href={addressOfPage("maps")}>
        <Icon name="back" />
        {text("maps.all")}
      </a>
      {map ? <Shown map={map} /> : <p class="muted">{text(maps.value ? "maps.gone" : "loading")}</p>}
    </>
  );
}

function Shown({ map }: { readonly map: AdminMap }): JSX.Element {
  const asking = useSignal(false);
  const switching = useSignal(false);
  const opening = useSignal(false);
  const toggle = async (enable: boolean): Promise<void> => {
    switching.value = true;
    try {
      const isMonitored = await toggleMonitoring(map.id, enable);
      if (isMonitored) awaitHeadcount(map.id);
      putMap({ ...map, is_monitored: isMonitored });
    } catch (error) {
      notifyFault(error);
    } finally {
      switching.value = false;
    }
  };
  // What is edited is the newest version: the list may be older.
  const edit = async (): Promise<void> => {
    opening.value = true;
    try {
      const { map: newest, version } = await fetchMap(map.id);
      putMap(newest);
      openDraft(newest, version, namesOf(newest));
    } catch (error) {
      notifyFault(error);
    } finally {
      opening.value = false;
    }
  };
  const remove = async (): Promise<void> => {
    try {
      await deleteMap(map.id);
      removeMap(map.id);
      go("maps");
      notify(text("maps.deleted", { name: visible(map.name) }));
      await refreshSession();
    } catch (error) {
      notifyFault(error);
    }
  };
  return (
    <>
      <h1>
        <Plain value={map.name} />
      </h1>
      <p class="hint">
        {typeName(map)} · <Plain value={map.owner} />
      </p>
      {map.description !== "" && (
        <p>
          <Plain value={map.description} />
        </p>
      )}
      <section class="card" aria-label={text("headcount.title")}>
        <Switch
          label={text("headcount.switch")}
          on={map.is_monitored}
          busy={switching.value}
          reason={mayReadRealtime.value ? undefined : text("headcount.noScope")}
          onChange={(on) => void toggle(on)}
        />
        {map.is_monitored && mayReadRealtime.value && <HeadcountCard mapId={map.id} />}
      </section>
      <div class="buttons">
        <button type="button" disabled={opening.value} onClick={() => void edit()}>
          {text("maps.edit")}
        </button>
        <button
          type="button"
          class="danger quiet"
          onClick={() => {
            asking.value = true;
          }}
        >
          <Icon name="trash" />
          {text("maps.delete")}
        </button>
      </div>
      {asking.value && (
        <Question
          title={text("maps.delete.title")}
          confirm={text("maps.delete")}
          onConfirm={() => void remove()}
          onClose={() => {
            asking.value = false;
          }}
        >
          <p>
            <Plain class="strong" value={map.name} />
          </p>
          <p>{text(map.is_monitored ? "maps.delete.monitored" : "maps.delete.why")}</p>
        </Question>
      )}
    </>
  );
}
