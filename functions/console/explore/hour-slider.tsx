import type { JSX } from "preact";
import { formatClock, formatTime } from "../format/format.ts";
import { Icon } from "../shell/icons.tsx";
import { text } from "../texts.ts";
import { hour, isPlaying } from "./activities-state.ts";

const HOUR_MS = 3_600_000;

/** Chooses the hour of the day, or plays the day. */
export function HourSlider({ times }: { readonly times: readonly string[] }): JSX.Element {
  const start = times[hour.value];
  const spoken = start === undefined ? "" : `${formatTime(start)} – ${formatClock(Date.parse(start) + HOUR_MS)}`;
  return (
    <div class="hours">
      <button
        type="button"
        aria-label={text(isPlaying.value ? "explore.pause" : "explore.play")}
        onClick={() => {
          isPlaying.value = !isPlaying.value;
        }}
      >
        <Icon name={isPlaying.value ? "pause" : "play"} />
      </button>
      <div class="field">
        <label for="explore-hour">
          {text("explore.hour")} <span class="strong">{spoken}</span>
        </label>
        <input
          id="explore-hour"
          type="range"
          min={0}
          max={Math.max(0, times.length - 1)}
          value={hour.value}
          aria-valuetext={spoken}
          onInput={({ currentTarget }) => {
            isPlaying.value = false;
            hour.value = Number(currentTarget.value);
          }}
        />
      </div>
    </div>
  );
}
