import type { JSX } from "preact";
import type { Batch } from "../api/availability.ts";
import { addDays } from "../format/days.ts";
import { formatCount, formatDay, formatTime } from "../format/format.ts";
import { text } from "../texts.ts";

interface CalendarProps {
  readonly first: string;
  readonly last: string;
  readonly days: ReadonlyMap<string, Batch>;
  readonly chosen: string | undefined;
  readonly onChoose: (day: string) => void;
}

const WEEKDAYS = ["2024-01-01", "2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05", "2024-01-06", "2024-01-07"];
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone: "UTC" });
const month = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });

/** Weeks as rows, from Monday to Sunday. A day that was loaded is a button that tells about it. */
export function Calendar({ first, last, days, chosen, onChoose }: CalendarProps): JSX.Element {
  const most = Math.max(1, ...[...days.values()].map(({ total_rows }) => total_rows));
  const weeks: string[] = [];
  for (let monday = mondayOf(first); monday <= last; monday = addDays(monday, 7)) weeks.push(monday);
  return (
    <table class="calendar">
      <thead>
        <tr>
          <td />
          {WEEKDAYS.map((day) => (
            <th key={day} scope="col">
              {weekday.format(new Date(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((monday, index) => (
          <tr key={monday}>
            <td class="month">{monthLabel(monday, index)}</td>
            {WEEKDAYS.map((_, offset) => {
              const day = addDays(monday, offset);
              const batch = days.get(day);
              const number = Number(day.slice(8));
              if (!batch) return <td key={day}>{day <= last && <span class="day">{number}</span>}</td>;
              const level = Math.max(1, Math.ceil((batch.total_rows / most) * 3));
              return (
                <td key={day}>
                  <button
                    type="button"
                    class={`day level-${level}`}
                    aria-pressed={chosen === day}
                    aria-label={text("data.day", {
                      day: formatDay(day),
                      rows: formatCount(batch.total_rows),
                      time: formatTime(batch.last_modified_time),
                    })}
                    onClick={() => onChoose(day)}
                  >
                    {number}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function mondayOf(day: string): string {
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** The month, in its first row and in that of the table. */
function monthLabel(monday: string, index: number): string {
  return index === 0 || Number(monday.slice(8)) <= 7 ? month.format(new Date(monday)) : "";
}
