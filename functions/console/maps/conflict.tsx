import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { fetchMap } from "../api/maps.ts";
import { onSignOut } from "../session/session.ts";
import { notifyFault } from "../shell/notices.tsx";
import { go } from "../shell/route.ts";
import { text } from "../texts.ts";
import { changeDraft, closeDraft, draft } from "./draft.ts";
import { putMap } from "./store.ts";

/** Whether the map was changed elsewhere while it was edited here, so that saving was refused. */
export const isConflict = signal(false);
onSignOut(() => {
  isConflict.value = false;
});

/** Tells that somebody else changed the map meanwhile, and lets people choose whose change stays. */
export function Conflict({ onSave }: { readonly onSave: () => Promise<void> }): JSX.Element | null {
  const id = draft.value?.mapId;
  if (!isConflict.value || id === undefined) return null;
  /** Reads the map as it is now, and goes on with that. */
  const resolve = (goOn: (version: string) => Promise<void> | void) => async (): Promise<void> => {
    try {
      const { map, version } = await fetchMap(id);
      isConflict.value = false;
      putMap(map);
      await goOn(version);
    } catch (error) {
      notifyFault(error);
    }
  };
  const takeTheirs = resolve(() => {
    closeDraft();
    go("maps", id);
  });
  const keepMine = resolve((version) => {
    changeDraft({ version });
    return onSave();
  });
  return (
    <div class="notice" role="alert">
      <p class="strong">{text("conflict.title")}</p>
      <p>{text("conflict.what")}</p>
      <div class="buttons">
        <button type="button" onClick={() => void takeTheirs()}>
          {text("conflict.theirs")}
        </button>
        <button type="button" class="danger" onClick={() => void keepMine()}>
          {text("conflict.mine")}
        </button>
      </div>
    </div>
  );
}
