import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { MachineAccount } from "../api/keys.ts";
import { Dialog } from "../controls/dialog.tsx";
import { Fault } from "../controls/fault.tsx";
import { FormButtons } from "../controls/form-buttons.tsx";
import { addDays, dayOf } from "../format/days.ts";
import { formatZone, timeZone } from "../format/format.ts";
import { text } from "../texts.ts";
import { endAfter, lastDayOf } from "./expiry.ts";
import { changeEnd } from "./store.ts";

/** How far ahead the service lets a key end, less the day that it may end on. */
const DAYS_MAX = 729;

/** Asks for the last day of a key. */
export function ExpiryDialog({ account, onClose }: { readonly account: MachineAccount; readonly onClose: () => void }): JSX.Element {
  const day = useSignal(lastDayOf(account.expiresAt) ?? "");
  const fault = useSignal<unknown>(undefined);
  const busy = useSignal(false);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    try {
      await changeEnd(account.keyLabel, endAfter(day.value));
      onClose();
    } catch (error) {
      fault.value = error;
      busy.value = false;
    }
  };
  return (
    <Dialog title={text("keys.ends.title", { label: account.keyLabel })} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)} noValidate>
        <LastDay day={day} fault={fault.value} />
        <FormButtons submit={text("keys.ends.save")} disabled={busy.value} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface LastDayProps {
  readonly day: { value: string };
  /** What was thrown, or a sentence about it; undefined if nothing is wrong with the day. */
  readonly fault: unknown;
}

/** The field for the last day of a key; empty for none. */
export function LastDay({ day, fault }: LastDayProps): JSX.Element {
  const today = dayOf(Date.now(), timeZone());
  return (
    <>
      <label for="key-end">{text("keys.ends.day")}</label>
      <input
        id="key-end"
        type="date"
        min={today}
        max={addDays(today, DAYS_MAX)}
        value={day.value}
        aria-describedby="key-end-hint key-end-fault"
        aria-invalid={fault !== undefined}
        onChange={({ currentTarget }) => {
          day.value = currentTarget.value;
        }}
      />
      <p id="key-end-hint" class="hint">
        {text("keys.ends.hint", { zone: formatZone() })}
      </p>
      <Fault id="key-end-fault" of={fault} />
    </>
  );
}
