import type { JSX } from "preact";
import { text } from "../texts.ts";

interface FormButtonsProps {
  /** The word of the button that sends the form. */
  readonly submit: string;
  /** Whether the form cannot be sent: it is on its way, or not ready. */
  readonly disabled: boolean;
  readonly onCancel: () => void;
  readonly class?: string;
}

/** The buttons below a form: to leave it, and to send it. */
export function FormButtons({ submit, disabled, onCancel, class: name = "" }: FormButtonsProps): JSX.Element {
  return (
    <div class={`buttons ${name}`}>
      <button type="button" onClick={onCancel}>
        {text("action.cancel")}
      </button>
      <button type="submit" class="primary" disabled={disabled}>
        {submit}
      </button>
    </div>
  );
}
