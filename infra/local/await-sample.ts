import type { RunningService } from "./service.ts";

/** How often somebody who waits is told how far it is. The default sample takes less. */
const SAY_EVERY_MS = 5000;

/**
 * Waits for the sample data of a service, and says every five seconds which step is being made. Rejects with a one-line error if the sample cannot be
 * made.
 */
export async function awaitSample(
  { filled, filling }: Pick<RunningService, "filled" | "filling">,
  say: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const { step, done, of } = filling() ?? { step: "nothing yet" };
    const share = done === undefined || of === undefined ? "" : `, ${done} of ${of} steps done`;
    say(`Making the sample data: ${step}${share}, ${Math.round((performance.now() - startedAt) / 1000)} s …`);
  }, SAY_EVERY_MS);
  try {
    await filled;
  } finally {
    clearInterval(timer);
  }
}
