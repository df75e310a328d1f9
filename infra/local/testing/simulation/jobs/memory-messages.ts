import type { JobMessage } from "../../../../../shared/jobs/job-message.ts";
import type { JobQueue, JobTopic } from "../../../../../shared/jobs/job-queue.ts";
import type { Ending, Process } from "../process.ts";
import type { World } from "../world.ts";
import { short } from "./memory-jobs.ts";

/** How the queue and the topic behave in one schedule, as shares and times in milliseconds. */
export interface MessagesManner {
  readonly lost: number;
  readonly doubled: number;
  readonly lateMs: number;
  /** How long the topic waits for a delivery's end before it delivers the message again, beside the first delivery. */
  readonly ackMs: number;
  readonly deliveriesMax: number;
  /** The wait before a message that failed comes again: it doubles up to the most. */
  readonly backoffMs: { readonly minimum: number; readonly maximum: number };
}

/** The queue, the topic and its push subscription. They lose, double, delay and repeat what they are given, and bury what fails too often. */
export interface MemoryMessages {
  readonly queueOf: (process: Process) => JobQueue;
  readonly topicOf: (process: Process) => JobTopic;
  /** Whether a message is on its way or at work. */
  readonly isUnderWay: (message: JobMessage) => boolean;
  /** Whether the queue has once taken a message: then it takes the same one no second time. */
  readonly isKnown: (message: JobMessage) => boolean;
  /** How many messages are on their way or at work. */
  readonly count: () => number;
}

interface Subscriber {
  /** How long a delivery lives at most, in milliseconds. */
  readonly livesMs: number;
  /** Starts one delivery; `onEnd` is how it ended. */
  readonly deliver: (message: JobMessage, onEnd: (ending: Ending) => void) => void;
  /** A message that failed too often. */
  readonly bury: (message: JobMessage) => void;
  /** Sees whatever a process sends. */
  readonly watch?: (message: JobMessage, who: string) => void;
}

/** A message as the subscription keeps it, until a delivery of it has ended well. */
interface StoredMessage {
  readonly message: JobMessage;
  deliveries: number;
  isOver: boolean;
}

export function memoryMessages(world: World, manner: () => MessagesManner, { livesMs, deliver, bury, watch }: Subscriber): MemoryMessages {
  const { random } = world;
  const names = new Set<string>();
  const undelivered = new Set<StoredMessage>();
  const keyOf = ({ job_id, attempt, step }: JobMessage): string => `${short(job_id)} ${attempt}.${step}`;

  const drop = (one: StoredMessage): void => {
    one.isOver = true;
    undelivered.delete(one);
  };
  const push = (one: StoredMessage): void => {
    if (one.isOver) return;
    if (one.deliveries >= manner().deliveriesMax) {
      drop(one);
      world.count("messages: dead letters");
      world.say("topic", `dead letter ${keyOf(one.message)}`);
      bury(one.message);
      return;
    }
    one.deliveries++;
    const { ackMs } = manner();
    let hasEnded = false;
    deliver(one.message, (ending) => {
      hasEnded = true;
      if (ending === "done") drop(one);
      // A process that was killed breaks its connection, or leaves the topic waiting.
      else if (ending === "failed" || random.chance(0.5)) again(one, backoff(one.deliveries, manner()));
      else again(one, ackMs);
    });
    if (ackMs >= livesMs) return;
    world.at(world.time + ackMs, () => {
      if (hasEnded || one.isOver) return;
      world.count("messages: delivered again while at work");
      push(one);
    });
  };
  const again = (one: StoredMessage, milliseconds: number): void => {
    world.count("messages: delivered again");
    world.at(world.time + milliseconds, () => push(one));
  };

  const send = (message: JobMessage, at: number): void => {
    const { lost, doubled, lateMs } = manner();
    world.count("messages");
    if (random.chance(lost)) {
      world.count("messages: lost");
      world.say("topic", `loses ${keyOf(message)}`);
      return;
    }
    const isDoubled = random.chance(doubled);
    if (isDoubled) world.count("messages: doubled");
    for (let copy = 0; copy < (isDoubled ? 2 : 1); copy++) {
      const one = { message, deliveries: 0, isOver: false };
      undelivered.add(one);
      world.at(Math.max(at, world.time) + random.whole(0, lateMs), () => push(one));
    }
  };

  return {
    queueOf: ({ name, step }) => ({
      enqueue: (message, at) =>
        step(`queue.enqueue ${keyOf(message)}`, () => {
          watch?.(message, name);
          if (names.has(keyOf(message))) return;
          names.add(keyOf(message));
          send(message, at?.getTime() ?? 0);
        }),
    }),
    topicOf: ({ name, step }) => ({
      publish: (message) =>
        step(`topic.publish ${keyOf(message)}`, () => {
          watch?.(message, name);
          send(message, 0);
        }),
    }),
    isUnderWay: (message) => [...undelivered].some((one) => keyOf(one.message) === keyOf(message)),
    isKnown: (message) => names.has(keyOf(message)),
    count: () => undelivered.size,
  };
}

function backoff(deliveries: number, { backoffMs: { minimum, maximum } }: MessagesManner): number {
  return Math.min(maximum, minimum * 2 ** (deliveries - 1));
}
