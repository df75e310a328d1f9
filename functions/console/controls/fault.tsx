import type { JSX } from "preact";
import { messageOf } from "../api/problem.ts";
import { text } from "../texts.ts";

interface FaultProps {
  /** What was thrown, or a sentence about it; undefined if nothing went wrong. */
  readonly of: unknown;
  readonly id?: string;
  /** Asks the service once more. Left out for what people correct themselves. */
  readonly onAgain?: (() => void) | undefined;
}

/** Says what went wrong, also to those who listen; nothing if nothing did. */
export function Fault({ of: fault, id, onAgain }: FaultProps): JSX.Element | null {
  if (fault === undefined) return null;
  if (onAgain)
    return (
      <div class="notice" role="alert">
        <p>{messageOf(fault)}</p>
        <button type="button" onClick={onAgain}>
          {text("action.again")}
        </button>
      </div>
    );
  return (
    <p id={id} class="fault" role="alert">
      {messageOf(fault)}
    </p>
  );
}
