import { useSignal } from "@preact/signals";
import type { JSX, TargetedEvent } from "preact";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { RequestFailed } from "../api/problem.ts";
import { Fault } from "../controls/fault.tsx";
import { Mark } from "../shell/mark.tsx";
import { text } from "../texts.ts";
import { endedBecause, signIn } from "./session.ts";

const KEY = /^[0-9a-fA-F]{64}$/;

/** The page on which a key is pasted. The key is held in the page's memory only. */
export function SignIn(): JSX.Element {
  const fault = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const submit = async (event: TargetedEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem("key");
    const key = field instanceof HTMLInputElement ? field.value.trim() : "";
    fault.value = KEY.test(key) ? undefined : text("signIn.malformed");
    if (fault.value !== undefined || busy.value) return;
    busy.value = true;
    try {
      await signIn(key);
    } catch (error) {
      fault.value = error instanceof RequestFailed && error.status === 401 ? text("signIn.unknown") : messageOf(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <main class="sign-in">
      <form class="sign-in-card" onSubmit={submit} noValidate>
        <Mark />
        <h1>{text("signIn.title")}</h1>
        <p class="lead">{text("signIn.lead")}</p>
        {endedBecause.value !== undefined && (
          <p class="notice" role="status">
            {endedBecause.value}
          </p>
        )}
        <label for="key">{text("signIn.key")}</label>
        <input
          id="key"
          name="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          class="mono"
          aria-invalid={fault.value !== undefined}
          aria-describedby={fault.value === undefined ? "key-hint" : "key-fault key-hint"}
        />
        <Fault id="key-fault" of={fault.value} />
        <button type="submit" class="primary" disabled={busy.value}>
          {text(busy.value ? "signIn.busy" : "signIn.submit")}
        </button>
        <p id="key-hint" class="hint">
          {text("signIn.hint")}
        </p>
      </form>
    </main>
  );
}
