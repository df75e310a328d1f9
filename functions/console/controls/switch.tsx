import type { JSX } from "preact";

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly busy?: boolean;
  /** Why it cannot be switched; undefined if it can. */
  readonly reason?: string | undefined;
  readonly onChange: (on: boolean) => void;
}

/** A switch with its label, and the reason if it is disabled. */
export function Switch({ label, on, busy = false, reason, onChange }: SwitchProps): JSX.Element {
  return (
    <div class="switch-row">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={on}
        aria-label={label}
        aria-busy={busy}
        disabled={busy || reason !== undefined}
        onClick={() => onChange(!on)}
      >
        <span class="knob" />
      </button>
      <span class="switch-label">
        <span>{label}</span>
        {reason !== undefined && <span class="hint">{reason}</span>}
      </span>
    </div>
  );
}
