import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Fault } from "../controls/fault.tsx";
import { refreshSession, session } from "../session/session.ts";
import { notifyFault } from "../shell/notices.tsx";
import { text } from "../texts.ts";
import { DatasetCard } from "./dataset-card.tsx";
import { KeyRow } from "./key-row.tsx";
import { LimitsCard } from "./limits-card.tsx";
import { NewKeyDialog, ShownKey } from "./new-key.tsx";
import { keys, keysFault, loadKeys, newKey } from "./store.ts";

/** The keys of the customer, for a key with machine-account admin access, and the limits of all of them. */
export function KeysPage(): JSX.Element {
  const creating = useSignal(false);
  const isAdmin = session.value?.me.machineAccountAdmin ?? false;
  useEffect(() => {
    if (isAdmin) void loadKeys();
  }, [isAdmin]);
  // What is used of the limits has changed since the sign-in.
  useEffect(() => void refreshSession().catch(notifyFault), []);
  return (
    <div class="page wide">
      <div class="page-head">
        <h1>{text("page.keys")}</h1>
        <button
          type="button"
          class="primary"
          disabled={!isAdmin}
          onClick={() => {
            creating.value = true;
          }}
        >
          {text("keys.new")}
        </button>
      </div>
      {!isAdmin && <p class="notice">{text("keys.noAdmin")}</p>}
      <Fault of={keysFault.value} onAgain={() => void loadKeys()} />
      {isAdmin && keys.value === undefined && keysFault.value === undefined && <p class="muted">{text("loading")}</p>}
      {keys.value && (
        <div class="table-place">
          <table class="listed">
            <thead>
              <tr>
                <th scope="col">{text("keys.label")}</th>
                <th scope="col">{text("keys.hint")}</th>
                <th scope="col">{text("keys.realtime")}</th>
                <th scope="col">{text("keys.profile")}</th>
                <th scope="col">{text("keys.rotated")}</th>
                <th scope="col">{text("keys.used")}</th>
                <th scope="col">{text("keys.ends")}</th>
                <th scope="col">
                  <span class="visually-hidden">{text("keys.actions")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.value.map((account) => (
                <KeyRow key={account.keyLabel} account={account} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div class="cards">
        <LimitsCard />
        {isAdmin && <DatasetCard />}
      </div>
      {creating.value && (
        <NewKeyDialog
          onClose={() => {
            creating.value = false;
          }}
        />
      )}
      {newKey.value && <ShownKey made={newKey.value} />}
    </div>
  );
}
