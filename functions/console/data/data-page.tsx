import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { type Batch, fetchAvailability } from "../api/availability.ts";
import { Calendar } from "../controls/calendar.tsx";
import { Fault } from "../controls/fault.tsx";
import { addDays, dayOf } from "../format/days.ts";
import { formatCount, formatDay, formatTime, formatZone } from "../format/format.ts";
import { country } from "../session/session.ts";
import { text, textOr } from "../texts.ts";

const WEEKS = 8;

/** Which days there are of each dataset, and when they were loaded. */
export function DataPage(): JSX.Element {
  const batches = useSignal<readonly Batch[] | undefined>(undefined);
  const fault = useSignal<unknown>(undefined);
  const chosen = useSignal<string | undefined>(undefined);
  const tries = useSignal(0);
  /** The last day that is shown: today, until people look further back. */
  const last = useSignal<string | undefined>(undefined);
  const today = dayOf(Date.now(), country.value?.time_zone ?? "UTC");
  const shownLast = last.value ?? today;
  useSignalEffect(() => {
    const { country_code: code, time_zone: zone } = country.value ?? {};
    if (code === undefined || zone === undefined) return undefined;
    const until = last.value ?? dayOf(Date.now(), zone);
    void tries.value;
    let isCurrent = true;
    [batches.value, fault.value] = [undefined, undefined];
    fetchAvailability(code, addDays(until, -7 * WEEKS), until).then(
      (found) => {
        if (isCurrent) [batches.value, fault.value] = [found, undefined];
      },
      (error: unknown) => {
        if (isCurrent) fault.value = error;
      },
    );
    return () => {
      isCurrent = false;
    };
  });
  const tables = [...new Set((batches.value ?? []).map(({ dataset, table_name }) => `${dataset} ${table_name}`))];
  const move = (weeks: number) => () => {
    const moved = addDays(shownLast, 7 * weeks);
    last.value = moved >= today ? undefined : moved;
  };
  return (
    <div class="page">
      <div class="page-head">
        <h1>{text("data.title", { country: country.value?.name ?? "" })}</h1>
        <div class="buttons">
          <button type="button" onClick={move(-WEEKS)}>
            {text("data.earlier")}
          </button>
          <button type="button" disabled={last.value === undefined} onClick={move(WEEKS)}>
            {text("data.later")}
          </button>
        </div>
      </div>
      <p class="muted">
        {text("data.lead", { from: formatDay(addDays(shownLast, -7 * WEEKS)), to: formatDay(shownLast), zone: formatZone() })}
      </p>
      <Fault
        of={fault.value}
        onAgain={() => {
          tries.value++;
        }}
      />
      {batches.value === undefined && fault.value === undefined && <p class="muted">{text("loading")}</p>}
      {batches.value !== undefined && tables.length === 0 && <p class="empty">{text("data.none")}</p>}
      <div class="calendars">
        {tables.map((table) => {
          const days = new Map(
            (batches.value ?? [])
              .filter(({ dataset, table_name }) => `${dataset} ${table_name}` === table)
              .map((one) => [one.batch_date, one]),
          );
          const [dataset = "", name = ""] = table.split(" ");
          const title = `dataset.${name}`;
          const picked = chosen.value?.startsWith(`${table} `) ? days.get(chosen.value.slice(table.length + 1)) : undefined;
          const rows = [...days.values()].reduce((sum, { total_rows }) => sum + total_rows, 0);
          return (
            <section key={table} class="card" aria-label={textOr(title, name)}>
              <h2>{textOr(title, `${dataset} (${name})`)}</h2>
              <p class="hint">{text("data.sum", { days: days.size, rows: formatCount(rows) })}</p>
              <Calendar
                first={addDays(shownLast, -7 * WEEKS)}
                last={shownLast}
                days={days}
                chosen={picked?.batch_date}
                onChoose={(day) => {
                  chosen.value = `${table} ${day}`;
                }}
              />
              <p class="hint" aria-live="polite">
                {picked
                  ? text("data.day", {
                      day: formatDay(picked.batch_date),
                      rows: formatCount(picked.total_rows),
                      time: formatTime(picked.last_modified_time),
                    })
                  : text("data.choose")}
              </p>
            </section>
          );
        })}
      </div>
    </div>
  );
}
