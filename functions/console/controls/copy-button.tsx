import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Icon } from "../shell/icons.tsx";
import { text } from "../texts.ts";

const SHOWN_MS = 2000;

/** Copies a text to the clipboard. */
export function CopyButton({ value }: { readonly value: string }): JSX.Element {
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    copied.value = true;
    setTimeout(() => {
      copied.value = false;
    }, SHOWN_MS);
  };
  return (
    <button type="button" onClick={() => void copy()} aria-live="polite">
      <Icon name="copy" />
      {text(copied.value ? "action.copied" : "action.copy")}
    </button>
  );
}
