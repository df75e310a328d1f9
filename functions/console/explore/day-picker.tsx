import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Calendar } from "../controls/calendar.tsx";
import { formatDay } from "../format/format.ts";
import { country } from "../session/session.ts";
import { text } from "../texts.ts";
import { chooseDay, day, daysBack, loadedDays, lookFurtherBack, nextDays, view } from "./state.ts";

/** Chooses the day that is shown, among those with data. */
export function DayPicker(): JSX.Element {
  const isOpen = useSignal(false);
  const opener = useRef<HTMLButtonElement>(null);
  const calendar = useRef<HTMLDivElement>(null);
  const loaded = loadedDays.value;
  const [shown, first, last] = [day.value, [...(loaded?.keys() ?? [])][0], [...(loaded?.keys() ?? [])].at(-1)];
  const { before, after } = nextDays.value;
  const close = (): void => {
    isOpen.value = false;
    opener.current?.focus();
  };
  useEffect(() => {
    if (!isOpen.value) return undefined;
    const days = [...(calendar.current?.querySelectorAll<HTMLElement>("button.day") ?? [])];
    (days.find((one) => one.ariaPressed === "true") ?? days.at(-1))?.focus();
    const leave = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") close();
    };
    document.addEventListener("keydown", leave);
    return () => document.removeEventListener("keydown", leave);
  }, [isOpen.value]);
  return (
    <>
      <div class="day-row">
        <Step label={text("explore.previousDay")} sign="‹" to={before} />
        <button
          ref={opener}
          type="button"
          class="day-shown"
          aria-label={text("explore.day", { day: shown === undefined ? "" : formatDay(shown) })}
          aria-expanded={isOpen.value}
          disabled={first === undefined}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {shown === undefined ? "–" : formatDay(shown)}
        </button>
        <Step label={text("explore.nextDay")} sign="›" to={after} />
      </div>
      {isOpen.value && loaded && first !== undefined && last !== undefined && (
        <div class="card day-choice">
          <div ref={calendar} class="day-scroll">
            <Calendar
              first={first}
              last={last}
              days={loaded}
              chosen={shown}
              onChoose={(chosen) => {
                chooseDay(chosen);
                close();
              }}
            />
          </div>
          <p class="hint">{text("explore.days")}</p>
          <button type="button" onClick={lookFurtherBack}>
            {text("explore.earlier")}
          </button>
        </div>
      )}
    </>
  );
}

/** A step to the day with data before or after the shown one. */
function Step({ label, sign, to }: { readonly label: string; readonly sign: string; readonly to: string | undefined }): JSX.Element {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={to === undefined}
      onClick={() => {
        if (to !== undefined) chooseDay(to);
      }}
    >
      {sign}
    </button>
  );
}

/** Says that there is no data on the shown day, or none at all, and offers the nearest days that have some. */
export function NoDay(): JSX.Element {
  const shown = day.value;
  const kind = text(`explore.${view.value}`);
  const nearest = [nextDays.value.before, nextDays.value.after].filter((one) => one !== undefined);
  return (
    <div class="notice" role="status">
      <p>
        {shown === undefined || nearest.length === 0
          ? text("explore.noDays", { kind, country: country.value?.name ?? "", days: daysBack.value })
          : text("explore.noDay", { kind, day: formatDay(shown) })}
      </p>
      <div class="buttons">
        {nearest.map((one) => (
          <button key={one} type="button" onClick={() => chooseDay(one)}>
            {formatDay(one)}
          </button>
        ))}
        {nearest.length === 0 && (
          <button type="button" onClick={lookFurtherBack}>
            {text("explore.earlier")}
          </button>
        )}
      </div>
    </div>
  );
}
