import type { JSX } from "preact";
import { formatBytes, formatCount } from "../format/format.ts";
import { limitsOf } from "../session/limits.ts";
import { session } from "../session/session.ts";
import { text, textOr } from "../texts.ts";

/** From which share on a limit is nearly used up. */
const NEARLY = 0.9;

/** The limits of the customer, and what of them is used: one row each, also for those that this page has no words for. */
export function LimitsCard(): JSX.Element | null {
  const me = session.value?.me;
  if (!me) return null;
  return (
    <section class="card" aria-label={text("limits.title")}>
      <h2>{text("limits.title")}</h2>
      <p class="muted">{text("limits.what")}</p>
      <dl class="limits">
        {limitsOf(me).map(({ name, most, used }) => {
          const format = /bytes/i.test(name) ? formatBytes : formatCount;
          const label = textOr(`limit.${name}`, inWords(name));
          return (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                {used === undefined ? format(most) : text("limits.used", { used: format(used), most: format(most) })}
                {used !== undefined && <meter aria-label={label} max={most} high={most * NEARLY} optimum={0} value={used} />}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** `requestsPerMinute` as "Requests per minute". */
function inWords(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
