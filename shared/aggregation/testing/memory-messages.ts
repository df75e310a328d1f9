import type { JobMessage } from "../../jobs/job-message.ts";
import type { JobQueue, JobTopic } from "../../jobs/job-queue.ts";
import type { Draw, Step } from "./chance.ts";

interface Pending {
  readonly message: JobMessage;
  readonly at: Date;
  /** How many calls of `take` skip it before it is due. */
  readonly held: number;
}

/** The queue and the topic in one. Both lose, duplicate and delay messages. */
export interface MemoryMessages {
  readonly queue: JobQueue;
  readonly topic: JobTopic;
  /** Takes the messages that are due, each as often as it is delivered. */
  readonly take: (now: Date) => JobMessage[];
  /** Redelivers a failed message, or loses it, at random. */
  readonly again: (message: JobMessage) => void;
  /** Returns when the next message is due. Undefined when there is none. */
  readonly nextAt: () => Date | undefined;
}

export function memoryMessages(step: Step, draw: Draw): MemoryMessages {
  const names = new Set<string>();
  let pending: Pending[] = [];
  const send = (message: JobMessage, at: Date = new Date(0)): void => {
    const fate = draw();
    if (fate >= 850) return;
    const copies = fate >= 400 && fate < 800 ? 2 : 1;
    // The first copy may be late, the second may be later still.
    const first = { message, at, held: fate >= 700 ? fate % 3 : 0 };
    pending.push(...[first, { ...first, held: fate % 5 }].slice(0, copies));
  };
  return {
    queue: {
      enqueue: (message, at) =>
        step("enqueue", () => {
          const name = JSON.stringify(message);
          if (names.has(name)) return;
          names.add(name);
          send(message, at);
        }),
    },
    topic: { publish: (message) => step("publish", () => send(message)) },
    take: (now) => {
      const due = pending.filter(({ at, held }) => held === 0 && at <= now);
      pending = pending.filter((one) => !due.includes(one)).map((one) => ({ ...one, held: Math.max(0, one.held - 1) }));
      return due.map(({ message }) => message);
    },
    again: (message) => send(message),
    nextAt: () => pending.map(({ at }) => at).sort((a, b) => Number(a) - Number(b))[0],
  };
}
