import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { requestPersonalDataset } from "../api/account.ts";
import { refreshSession, session } from "../session/session.ts";
import { notifyFault } from "../shell/notices.tsx";
import { text } from "../texts.ts";

/** The personal dataset in the provider's warehouse: requested here, created by the operator. */
export function DatasetCard(): JSX.Element | null {
  const busy = useSignal(false);
  const me = session.value?.me;
  if (!me) return null;
  const { state, dataset } = me.personalDataset;
  const isAllowed = me.allow.profiles.includes("warehouse");
  const request = async (): Promise<void> => {
    busy.value = true;
    try {
      await requestPersonalDataset(me.uid);
      await refreshSession();
    } catch (error) {
      notifyFault(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <section class="card" aria-label={text("dataset.title")}>
      <h2>{text("dataset.title")}</h2>
      <p>{text("dataset.what")}</p>
      {state === "ready" && (
        <p class="sound">
          {text("dataset.ready")} <span class="mono">{dataset}</span>
        </p>
      )}
      {state === "requested" && (
        <>
          <p class="notice">{text("dataset.requested")}</p>
          <div class="buttons">
            <button type="button" onClick={() => void refreshSession().catch(notifyFault)}>
              {text("dataset.look")}
            </button>
          </div>
        </>
      )}
      {state === "none" && (
        <>
          {!isAllowed && <p class="hint">{text("dataset.notAllowed")}</p>}
          <div class="buttons">
            <button type="button" disabled={!isAllowed || busy.value} onClick={() => void request()}>
              {text("dataset.request")}
            </button>
          </div>
        </>
      )}
    </section>
  );
}
