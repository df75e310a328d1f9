import type { JobMessage } from "../../../../shared/jobs/job-message.ts";
import type { JobQueue, JobTopic } from "../../../../shared/jobs/job-queue.ts";
import type { Ending, Process } from "../process.ts";
import type { World } from "../world.ts";
import { short } from "./memory-jobs.ts";

/** The behaviour of the queue and the topic in one schedule: shares, and times in milliseconds. */
export interface MessagesManner {
  readonly lost: number;
  readonly doubled: number;
  readonly lateMs: number;
  /** How long the topic waits for a delivery to end before it redelivers the message concurrently. */
  readonly ackMs: number;
  readonly deliveriesMax: number;
  /** The backoff of a failed message. It doubles up to the maximum. */
  readonly backoffMs: { readonly minimum: number; readonly maximum: number };
}

/** The queue, the topic and its push subscription. They lose, duplicate, delay and redeliver messages and dead-letter repeated failures. */
export interface MemoryMessages {
  readonly queueOf: (process: Process) => JobQueue;
  readonly topicOf: (process: Process) => JobTopic;
  /** Returns whether a message is in flight or being processed. */
  readonly isUnderWay: (message: JobMessage) => boolean;
  /** Returns whether the queue has ever taken this message. It never takes the same message twice. */
  readonly isKnown: (message: JobMessage) => boolean;
  /** Returns how many messages are in flight or being processed. */
  readonly count: () => number;
}

interface Subscriber {
  /** The maximum duration of a delivery in milliseconds. */
  readonly livesMs: number;
  /** Starts one delivery. `onEnd` receives how it ended. */
  readonly deliver: (message: JobMessage, onEnd: (ending: Ending) => void) => void;
  /** Called with a message that failed too often. */
  readonly bury: (message: JobMessage) => void;
  /** Called with every message that a process sends. */
  readonly watch?: (message: JobMessage, who: string) => void;
}

/** A message in the subscription, until one of its deliveries succeeds. */
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
      // A killed process breaks its connection, or leaves the topic waiting.
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
