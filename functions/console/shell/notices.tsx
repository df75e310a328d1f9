import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { messageOf } from "../../../shared/runtime/error-message.ts";
import { waitingUntil } from "../api/client.ts";
import { SessionEnded } from "../api/problem.ts";
import { onSignOut } from "../session/session.ts";
import { text } from "../texts.ts";

interface Notice {
  readonly id: number;
  readonly kind: "done" | "fault";
  readonly message: string;
}

const SHOWN_MS = 8000;
const notices = signal<readonly Notice[]>([]);
let lastId = 0;

onSignOut(() => {
  notices.value = [];
});

/** Shows a sentence for a while. */
export function notify(message: string): void {
  add({ id: ++lastId, kind: "done", message });
}

/** Shows why something failed, until it is closed. */
export function notifyFault(error: unknown): void {
  if (error instanceof SessionEnded) return;
  add({ id: ++lastId, kind: "fault", message: messageOf(error) });
}

function add(notice: Notice): void {
  // The same sentence twice is no news.
  notices.value = [...notices.value.filter(({ message }) => message !== notice.message), notice].slice(-3);
  if (notice.kind === "done") setTimeout(() => close(notice.id), SHOWN_MS);
}

function close(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** The notices, and whether requests wait for the service. */
export function Notices(): JSX.Element {
  return (
    <div class="notices" role="status" aria-live="polite">
      <Waiting />
      {notices.value.map(({ id, kind, message }) => (
        <div key={id} class={`toast ${kind}`}>
          <span>{message}</span>
          <button type="button" class="icon" aria-label={text("action.close")} onClick={() => close(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}

function Waiting(): JSX.Element | null {
  const until = waitingUntil.value;
  const now = useSignal(Date.now());
  useEffect(() => {
    if (until === undefined) return undefined;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, [until, now]);
  if (until === undefined) return null;
  return <div class="toast">{text("error.waiting", { seconds: Math.max(1, Math.ceil((until - now.value) / 1000)) })}</div>;
}
