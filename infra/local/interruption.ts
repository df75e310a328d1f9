import { Interrupted } from "./child.ts";

/** Returns what the work gives. Rejects with `Interrupted` as soon as the signal is aborted, whatever the work still waits for. */
export function unlessInterrupted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const interrupted = Promise.withResolvers<never>();
  const interrupt = (): void => interrupted.reject(new Interrupted());
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt, { once: true });
  return Promise.race([work, interrupted.promise]).finally(() => signal.removeEventListener("abort", interrupt));
}
