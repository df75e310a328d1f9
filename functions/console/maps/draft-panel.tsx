import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { createMap, updateMap } from "../api/maps.ts";
import { RequestFailed } from "../api/problem.ts";
import { FormButtons } from "../controls/form-buttons.tsx";
import { awaitHeadcount } from "../headcounts/headcounts.ts";
import { canDraw } from "../map-view/map-state.ts";
import { country, refreshSession } from "../session/session.ts";
import { notify } from "../shell/notices.tsx";
import { go } from "../shell/route.ts";
import { text, textOr } from "../texts.ts";
import { AreaPicker } from "./area-picker.tsx";
import { CheckResult, faultAt } from "./check-result.tsx";
import { Conflict, isConflict } from "./conflict.tsx";
import { changeDraft, closeDraft, draft, faultsOf, inputOf, isSound, refusal } from "./draft.ts";
import { DraftLayer } from "./draft-layer.tsx";
import { PolygonEditor } from "./polygon-editor.tsx";
import { putMap } from "./store.ts";

/** The types of geographies that a map can be made of. */
const STANDARD = ["admin_level_2", "admin_level_4", "grid_1000m", "grid_250m"];

/** The form of a new map, or of one that is changed. */
export function DraftPanel(): JSX.Element | null {
  const saving = useSignal(false);
  const current = draft.value;
  if (!current) return null;
  const offered = new Set(country.value?.products.flatMap(({ agg_type, geo_types }) => (agg_type === "activities" ? geo_types : [])));
  const types = ["custom_polygon", ...STANDARD.filter((type) => offered.has(type) || type === current.type)];
  const close = (): void => {
    isConflict.value = false;
    closeDraft();
  };
  const save = async (): Promise<void> => {
    const current = draft.peek();
    if (!current) return;
    if (current.name.trim() === "") {
      refusal.value = [{ pointer: "/name", detail: text("draft.name.missing") }];
      return;
    }
    saving.value = true;
    try {
      const input = inputOf(current);
      const saved = current.mapId === undefined ? await createMap(input) : await updateMap(current.mapId, input, current.version);
      if (saved.is_monitored) awaitHeadcount(saved.id);
      putMap(saved);
      close();
      go("maps", saved.id);
      notify(text("draft.saved"));
      await refreshSession();
    } catch (error) {
      isConflict.value = error instanceof RequestFailed && error.status === 412;
      if (!isConflict.value) refusal.value = faultsOf(error);
    } finally {
      saving.value = false;
    }
  };
  return (
    <form
      class="draft"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      noValidate
    >
      <DraftLayer />
      <h1>{text(current.mapId === undefined ? "draft.new" : "draft.change")}</h1>
      <Field pointer="/name" label={text("draft.name")}>
        <input
          id="draft-name"
          value={current.name}
          maxLength={200}
          autoComplete="off"
          aria-invalid={faultAt("/name") !== undefined}
          aria-describedby="draft-name-fault"
          onInput={({ currentTarget }) => changeDraft({ name: currentTarget.value })}
        />
      </Field>
      <fieldset class="choices">
        <legend>{text("draft.of")}</legend>
        {types.map((type) => {
          const label = `draft.type.${type}`;
          return (
            <label key={type} class="choice">
              <input
                type="radio"
                name="draft-type"
                checked={current.type === type}
                onChange={() => changeDraft({ type, picked: new Map(), countryCode: country.peek()?.country_code })}
              />
              <span>{textOr(label, type)}</span>
            </label>
          );
        })}
      </fieldset>
      {current.type === "custom_polygon" ? <PolygonEditor /> : <AreaPicker key={current.type} />}
      {!canDraw.value && <p class="hint">{text("draft.noMap")}</p>}
      <CheckResult />
      <Field pointer="/description" label={text("draft.description")}>
        <textarea
          id="draft-description"
          rows={2}
          maxLength={2000}
          value={current.description}
          aria-describedby="draft-description-fault"
          onInput={({ currentTarget }) => changeDraft({ description: currentTarget.value })}
        />
      </Field>
      <Conflict onSave={save} />
      <FormButtons
        class="sticky"
        submit={text(saving.value ? "draft.saving" : "draft.save")}
        disabled={saving.value || !isSound.value}
        onCancel={close}
      />
    </form>
  );
}

interface FieldProps {
  readonly pointer: string;
  readonly label: string;
  readonly children: JSX.Element;
}

function Field({ pointer, label, children }: FieldProps): JSX.Element {
  const id = `draft-${pointer.slice(1)}`;
  const fault = faultAt(pointer);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <p id={`${id}-fault`} class="fault" role={fault === undefined ? undefined : "alert"}>
        {fault}
      </p>
    </div>
  );
}
