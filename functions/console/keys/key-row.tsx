import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { MachineAccount } from "../api/keys.ts";
import { Question } from "../controls/dialog.tsx";
import { Switch } from "../controls/switch.tsx";
import { formatDate, formatTime } from "../format/format.ts";
import { session } from "../session/session.ts";
import { notifyFault } from "../shell/notices.tsx";
import { text, textOr } from "../texts.ts";
import { lastDayOf, stateOf } from "./expiry.ts";
import { ExpiryDialog } from "./expiry-dialog.tsx";
import { makeKey, revokeKey, setKey } from "./store.ts";

const REALTIME = "realtime";
const PROFILES = ["storage", "warehouse"] as const;

/** A key in the table, with what can be changed about it. */
export function KeyRow({ account }: { readonly account: MachineAccount }): JSX.Element {
  const { keyLabel: label, keyHint, scopes, service, rotatedAt, lastUsedAt, lastUsedFrom, expiresAt } = account;
  const asking = useSignal<"rotate" | "revoke" | "end" | undefined>(undefined);
  const busy = useSignal(false);
  const { me } = session.value ?? {};
  const isOwn = label === me?.keyLabel;
  const change = async (to: Parameters<typeof setKey>[1]): Promise<void> => {
    busy.value = true;
    await setKey(label, to);
    busy.value = false;
  };
  const hasRealtime = scopes.includes(REALTIME);
  const ask = (what: "rotate" | "revoke" | "end") => () => {
    asking.value = what;
  };
  const close = (): void => {
    asking.value = undefined;
  };
  const [lastDay, ending] = [lastDayOf(expiresAt), stateOf(expiresAt)];
  const end = lastDay === undefined ? text("keys.never") : text("keys.ends.after", { day: formatDate(lastDay) });
  return (
    <tr>
      <th scope="row" class="label">
        {label}
        {isOwn && <span class="badge">{text("keys.own")}</span>}
      </th>
      <td class="mono" data-label={text("keys.hint")}>
        {keyHint}…
      </td>
      <td data-label={text("keys.realtime")}>
        <Switch
          label={text("keys.realtime.of", { label })}
          on={hasRealtime}
          busy={busy.value}
          reason={hasRealtime || me?.allow.scopes.includes(REALTIME) ? undefined : text("keys.notAllowed")}
          onChange={(on) => void change({ scopes: on ? [...scopes, REALTIME] : scopes.filter((scope) => scope !== REALTIME) })}
        />
      </td>
      <td data-label={text("keys.profile")}>
        <select
          aria-label={text("keys.profile.of", { label })}
          value={service}
          disabled={busy.value}
          onChange={({ currentTarget }) => void change({ service: currentTarget.value })}
        >
          {PROFILES.map((profile) => (
            <option key={profile} value={profile} disabled={profile !== service && !me?.allow.profiles.includes(profile)}>
              {text(`keys.profile.${profile}`)}
            </option>
          ))}
        </select>
      </td>
      <td class="time" data-label={text("keys.rotated")}>
        {formatTime(rotatedAt)}
      </td>
      <td class="time" data-label={text("keys.used")}>
        {lastUsedAt === null ? text("keys.never") : formatTime(lastUsedAt)}
        {lastUsedFrom !== null && (
          <span class="hint">
            {text(lastUsedFrom.address === null ? "keys.usedBy" : "keys.usedFrom", {
              client: textOr(`client.${lastUsedFrom.client}`, lastUsedFrom.client),
              address: lastUsedFrom.address ?? "",
            })}
          </span>
        )}
      </td>
      <td class="time" data-label={text("keys.ends")}>
        <button type="button" class="link" aria-label={text("keys.ends.of", { label, end })} onClick={ask("end")}>
          {end}
        </button>
        {ending !== undefined && <span class="badge warning">{text(`keys.ends.${ending}`)}</span>}
      </td>
      <td class="actions">
        <button type="button" aria-label={text("keys.rotate.of", { label })} onClick={ask("rotate")}>
          {text("keys.rotate")}
        </button>
        <button type="button" class="danger quiet" aria-label={text("keys.revoke.of", { label })} disabled={isOwn} onClick={ask("revoke")}>
          {text("keys.revoke")}
        </button>
        {asking.value === "end" && <ExpiryDialog account={account} onClose={close} />}
        {(asking.value === "rotate" || asking.value === "revoke") && (
          <Question
            title={text(`keys.${asking.value}.title`, { label })}
            confirm={text(`keys.${asking.value}`)}
            onConfirm={() => void (asking.peek() === "rotate" ? makeKey(label).catch(notifyFault) : revokeKey(label))}
            onClose={close}
          >
            <p>{text(isOwn ? "keys.rotate.own" : `keys.${asking.value}.why`)}</p>
          </Question>
        )}
      </td>
    </tr>
  );
}
