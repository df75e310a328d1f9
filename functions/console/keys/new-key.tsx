import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { NewKey } from "../api/keys.ts";
import { RequestFailed } from "../api/problem.ts";
import { CopyButton } from "../controls/copy-button.tsx";
import { Dialog } from "../controls/dialog.tsx";
import { Fault } from "../controls/fault.tsx";
import { FormButtons } from "../controls/form-buttons.tsx";
import { session } from "../session/session.ts";
import { text } from "../texts.ts";
import { endAfter } from "./expiry.ts";
import { LastDay } from "./expiry-dialog.tsx";
import { keys, makeKey, newKey } from "./store.ts";

const LABEL = /^[a-z][a-z0-9-]{0,62}$/;
const PROFILES = ["storage", "warehouse"] as const;

/** What is wrong with a field, and what no field of the form can mend. */
interface Refusal {
  readonly label?: string | undefined;
  readonly lastDay?: string | undefined;
  readonly other?: unknown;
}

function refusalOf(error: unknown): Refusal {
  const faults = error instanceof RequestFailed ? error.faults : [];
  const at = (pointer: string): string | undefined => faults.find((fault) => fault.pointer === pointer)?.detail;
  const [label, lastDay] = [at("/keyLabel"), at("/expiresAt")];
  return label === undefined && lastDay === undefined ? { other: error } : { label, lastDay };
}

/** Asks for the label and the profile of a new key. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const label = useSignal("");
  const service = useSignal<string>(PROFILES[0]);
  const lastDay = useSignal("");
  const refusal = useSignal<Refusal>({});
  /** A second request would rotate the key that the first one made. */
  const busy = useSignal(false);
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isTaken = keys.value?.some(({ keyLabel }) => keyLabel === label.value) ?? false;
    refusal.value = { label: LABEL.test(label.value) ? (isTaken ? text("keys.taken") : undefined) : text("keys.badLabel") };
    if (refusal.value.label !== undefined || busy.value) return;
    busy.value = true;
    try {
      await makeKey(label.value, { service: service.value, expiresAt: endAfter(lastDay.value) });
      onClose();
    } catch (error) {
      refusal.value = refusalOf(error);
      busy.value = false;
    }
  };
  return (
    <Dialog title={text("keys.new")} onClose={onClose}>
      <form class="form" onSubmit={(event) => void create(event)} noValidate>
        <label for="key-label">{text("keys.label")}</label>
        <input
          id="key-label"
          value={label.value}
          autoComplete="off"
          aria-describedby="key-label-hint key-label-fault"
          aria-invalid={refusal.value.label !== undefined}
          onInput={({ currentTarget }) => {
            label.value = currentTarget.value;
          }}
        />
        <p id="key-label-hint" class="hint">
          {text("keys.label.hint")}
        </p>
        <Fault id="key-label-fault" of={refusal.value.label} />
        <label for="key-service">{text("keys.profile")}</label>
        <select
          id="key-service"
          value={service.value}
          onChange={({ currentTarget }) => {
            service.value = currentTarget.value;
          }}
        >
          {PROFILES.map((profile) => (
            <option key={profile} value={profile} disabled={!session.value?.me.allow.profiles.includes(profile)}>
              {text(`keys.profile.${profile}`)}
            </option>
          ))}
        </select>
        <LastDay day={lastDay} fault={refusal.value.lastDay} />
        <Fault of={refusal.value.other} />
        <FormButtons submit={text("keys.create")} disabled={busy.value} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** Shows a key the only time that it can be seen. */
export function ShownKey({ made }: { readonly made: NewKey }): JSX.Element {
  const close = (): void => {
    newKey.value = undefined;
  };
  return (
    <Dialog title={text(made.rotated ? "keys.rotated.title" : "keys.created.title", { label: made.keyLabel })} onClose={close}>
      <p class="notice">{text("keys.once")}</p>
      <output class="secret mono">{made.apiKey}</output>
      <div class="buttons">
        <CopyButton value={made.apiKey} />
        <button type="button" class="primary" onClick={close}>
          {text("keys.stored")}
        </button>
      </div>
    </Dialog>
  );
}
