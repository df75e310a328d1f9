import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { boxAround } from "../api/geometry.ts";
import { Fault } from "../controls/fault.tsx";
import { showBox } from "../map-view/map-state.ts";
import { Icon } from "../shell/icons.tsx";
import { text } from "../texts.ts";
import { changeDraft, check, draft, type Tool, tool } from "./draft.ts";
import { canUndo, Drawing, hasTool, undo } from "./drawing.tsx";
import { past } from "./history.ts";
import { polygonOf, wktOfGeoJson } from "./wkt.ts";

const TOOLS = ["polygon", "rectangle", "circle"] as const satisfies readonly Tool[];
const FILE_BYTES_MAX = 1_000_000;

/** Draws a polygon by hand, from a file, or as WKT. */
export function PolygonEditor(): JSX.Element {
  const fileFault = useSignal<string | undefined>(undefined);
  const isOver = useSignal(false);
  const isOpen = useSignal(false);
  /** The text while it is typed: the draft takes it when it is whole. */
  const typed = useSignal<string | undefined>(undefined);
  const wkt = draft.value?.wkt ?? "";
  const setWkt = (next: string): void => {
    typed.value = undefined;
    past.push(draft.peek()?.wkt ?? "");
    changeDraft({ wkt: next });
    const polygon = polygonOf(next);
    if (polygon) showBox(boxAround([polygon]));
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    fileFault.value = undefined;
    try {
      if (file.size > FILE_BYTES_MAX) throw new Error(text("draw.file.tooLarge"));
      setWkt(wktOfGeoJson(await file.text()));
    } catch (error) {
      fileFault.value = messageOf(error);
    }
  };
  // A file may be dropped anywhere on the page: the browser would open one that misses a small target.
  useEffect(() => {
    const over = (event: DragEvent): void => {
      event.preventDefault();
      isOver.value = true;
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) isOver.value = false;
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      isOver.value = false;
      void take(event.dataTransfer?.files[0]);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, []);
  const isBroken = check.value?.errors.some(({ pointer }) => pointer === "/geometry") ?? false;
  return (
    <section aria-label={text("draw.tools")} class={`polygon-editor ${isOver.value ? "over" : ""}`}>
      <Drawing />
      <div class="tools">
        {TOOLS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={tool.value === name}
            disabled={!hasTool.value}
            onClick={() => {
              // Once more: back to the shape that is there.
              tool.value = tool.value === name && polygonOf(wkt) ? "edit" : name;
            }}
          >
            <Icon name={name} />
            {text(`draw.${name}`)}
          </button>
        ))}
        <button type="button" onClick={undo} disabled={!canUndo.value}>
          <Icon name="undo" />
          {text("action.undo")}
        </button>
      </div>
      <p class="hint">{text(`draw.${tool.value}.hint`)}</p>
      <details
        open={isOpen.value}
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open;
        }}
      >
        <summary>{text("draw.text")}</summary>
        <label class="file">
          {text("draw.file")}
          <input
            type="file"
            accept=".geojson,.json,application/geo+json,application/json"
            onChange={({ currentTarget }) => {
              void take(currentTarget.files?.[0]);
              currentTarget.value = "";
            }}
          />
        </label>
        <label for="draft-wkt">{text("draw.wkt")}</label>
        <textarea
          id="draft-wkt"
          class="mono"
          rows={4}
          spellcheck={false}
          placeholder="POLYGON((24.74 59.43, 24.76 59.43, 24.76 59.44, 24.74 59.44, 24.74 59.43))"
          value={typed.value ?? wkt}
          aria-invalid={isBroken}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
          onChange={({ currentTarget }) => setWkt(currentTarget.value)}
        />
      </details>
      <Fault of={fileFault.value} />
    </section>
  );
}
