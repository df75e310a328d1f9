import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { MachineAccount } from "../api/keys.ts";
import { Dialog } from "../controls/dialog.tsx";
import { Fault } from "../controls/fault.tsx";
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
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await changeEnd(account.keyLabel, endAfter(day.value));
      onClose();
    } catch (error) {
      fault.value = error;
    }
  };
  return (
    <Dialog title={text("keys.ends.title", { label: account.keyLabel })} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)} noValidate>
        <LastDay day={day} />
        <Fault of={fault.value} />
        <div class="buttons">
          <button type="button" onClick={onClose}>
            {text("action.cancel")}
          </button>
          <button type="submit" class="primary">
            {text("keys.ends.save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The field for the last day of a key; empty for none. */
export function LastDay({ day }: { readonly day: { value: string } }): JSX.Element {
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
        aria-describedby="key-end-hint"
        onChange={({ currentTarget }) => {
          day.value = currentTarget.value;
        }}
      />
      <p id="key-end-hint" class="hint">
        {text("keys.ends.hint", { zone: formatZone() })}
      </p>
    </>
  );
}
