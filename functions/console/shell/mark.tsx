import type { JSX } from "preact";
import { text } from "../texts.ts";

/** The name of the service with its sign: cells of a grid, the darker the more people. */
export function Mark(): JSX.Element {
  return (
    <span class="mark">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <rect x="2" y="2" width="6" height="6" rx="1.5" opacity=".35" />
        <rect x="9" y="2" width="6" height="6" rx="1.5" opacity=".7" />
        <rect x="2" y="9" width="6" height="6" rx="1.5" opacity=".7" />
        <rect x="9" y="9" width="6" height="6" rx="1.5" />
        <rect x="16" y="9" width="6" height="6" rx="1.5" opacity=".7" />
        <rect x="9" y="16" width="6" height="6" rx="1.5" opacity=".35" />
        <rect x="16" y="16" width="6" height="6" rx="1.5" opacity=".5" />
      </svg>
      {text("name")}
    </span>
  );
}
