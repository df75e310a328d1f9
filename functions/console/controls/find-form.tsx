import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { text } from "../texts.ts";

interface FindFormProps {
  readonly label: string;
  readonly placeholder: string;
  /** What is typed. */
  readonly typed: Signal<string>;
  readonly onFind: () => void;
}

/** A line to type what to look for, with its button. */
export function FindForm({ label, placeholder, typed, onFind }: FindFormProps): JSX.Element {
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onFind();
      }}
    >
      <input
        aria-label={label}
        placeholder={placeholder}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
      />
      <button type="submit">{text("find")}</button>
    </form>
  );
}
