import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { SessionEnded } from "../api/problem.ts";
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
  if (fault === undefined || fault instanceof SessionEnded) return null;
  if (onAgain) return <Repeatable of={fault} onAgain={onAgain} />;
  return (
    <p id={id} class="fault" role="alert">
      {messageOf(fault)}
    </p>
  );
}

/** A fault with a button that asks once more. Nobody has to press it when the device is on the network again. */
function Repeatable({ of: fault, onAgain }: Required<Pick<FaultProps, "of">> & { readonly onAgain: () => void }): JSX.Element {
  useEffect(() => {
    addEventListener("online", onAgain);
    return () => removeEventListener("online", onAgain);
  }, [onAgain]);
  return (
    <div class="notice" role="alert">
      <p>{messageOf(fault)}</p>
      <button type="button" onClick={onAgain}>
        {text("action.again")}
      </button>
    </div>
  );
}
