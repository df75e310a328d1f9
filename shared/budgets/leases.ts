import { createInTurn } from "../runtime/in-turn.ts";
import { keepRecent } from "../runtime/keep-recent.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { utcDate } from "../runtime/time.ts";
import { type Budget, bytesLeft, TABLE_BYTES_MIN } from "./day-bytes.ts";
import type { LeasedBytes } from "./leased-bytes.ts";
import { budgetRefusal } from "./refusal.ts";

/** What a process leases at once, in bytes: this, or a hundredth of a small limit. */
const CHUNK = 1_000_000_000;
const CHUNKS_MIN = 100;
/** How long a query waits for the leases of others of its customer, in milliseconds. */
const WAIT_MS_MAX = 10_000;
/** How many customers a process keeps. */
const KEPT_MAX = 10_000;
/** A query is billed 10 MiB a table, so less than this is too little for one that is not known. */
const FIRST_BYTES_MIN = 100_000_000;

/** The bytes of a customer that a process has leased on a day. The rest after `used` and `held` is free. */
interface Pool {
  readonly date: string;
  readonly chunk: number;
  leased: number;
  used: number;
  held: number;
  /** Whether a query holds what was free. */
  hasFirst: boolean;
}

/** Bytes that a running query holds. `settle` replaces them by what it was billed. */
export interface Hold {
  readonly bytes: number;
  readonly settle: (billed: number) => Promise<void>;
}

/** The leases of a process. */
export interface Leases {
  /**
   * Holds bytes for a query of a customer until it is settled. Leases more if what is free is too little. Throws `resource_exhausted` if the
   * customer's day has not as many left.
   */
  readonly hold: (uid: string, bytes: number) => Promise<Hold>;
  /** Leases some for a customer who has nothing leased today, while it is still asked what a query will read. Never throws: `hold` tells. */
  readonly prepare: (uid: string) => Promise<void>;
  /**
   * Holds what is free, of one lease at most, for a query of which it is not known what it will read. Undefined if another such query of the
   * customer still runs, or if too little is free: then it must be asked. Never throws: `hold` tells.
   */
  readonly holdFirst: (uid: string) => Promise<Hold | undefined>;
  /** Gives back what is free, now and whenever a query is settled from now on: the process ends. Never throws. */
  readonly giveBack: () => Promise<void>;
}

interface LeaseContext {
  readonly leasedBytes: Pick<LeasedBytes, "on" | "add">;
  /** Returns a customer's limit and the bytes of its jobs. Undefined for a deleted customer. */
  readonly budgetOf: (uid: string) => Promise<Budget | undefined>;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Leases bytes in chunks, so that few queries cost a read or a write. Whoever leases reads first what is left, without a transaction: two
 * processes that lease at the same moment can exceed the limit by a chunk each. A process that dies keeps its free bytes from its customer
 * until the end of the day, which is why one that ends gives them back.
 */
export function createLeases({ leasedBytes, budgetOf, now, log }: LeaseContext): Leases {
  const pools = new Map<string, Pool>();
  const inTurn = createInTurn(WAIT_MS_MAX);
  let isEnding = false;

  /** Leases at least the missing bytes, in whole chunks if as much is left. */
  const lease = async (uid: string, known: Pool | undefined, asked: number, at: Date): Promise<Pool> => {
    const [budget, leased] = await Promise.all([budgetOf(uid), leasedBytes.on(uid, at)]);
    const limit = budget?.limits.bytesPerDay ?? 0;
    const left = budget ? bytesLeft(budget, leased, at) : 0;
    const chunk = Math.min(CHUNK, Math.ceil(limit / CHUNKS_MIN));
    const pool = known ?? { date: utcDate(at), chunk, leased: 0, used: 0, held: 0, hasFirst: false };
    const missing = asked - free(pool);
    if (missing > left) throw budgetRefusal({ limit, left: Math.max(0, left + free(pool)), asked }, at);
    const more = Math.min(left, Math.ceil(missing / chunk) * chunk);
    await leasedBytes.add(uid, at, more);
    pool.leased += more;
    return pool;
  };

  /** Gives back whole chunks that nothing holds, but for one. */
  const shrink = async (uid: string, pool: Pool): Promise<void> => {
    const more = Math.floor(free(pool) / pool.chunk) - 1;
    if (pool.held === 0 && more > 0) await reduce(uid, pool, more * pool.chunk);
  };

  const reduce = async (uid: string, pool: Pool, bytes: number): Promise<void> => {
    if (bytes <= 0 || pool.date !== utcDate(now())) return;
    pool.leased -= bytes;
    try {
      await leasedBytes.add(uid, now(), -bytes);
    } catch (error) {
      log("WARNING", "Leased bytes could not be given back; they stay leased until the end of the day", { uid, ...describeError(error) });
    }
  };

  /** Returns a customer's pool of today with as many free bytes. */
  const poolWith = async (uid: string, bytes: number): Promise<Pool> => {
    const at = now();
    const today = pools.get(uid)?.date === utcDate(at) ? pools.get(uid) : undefined;
    const pool = today && free(today) >= bytes ? today : await lease(uid, today, bytes, at);
    keepRecent(pools, uid, pool, KEPT_MAX);
    return pool;
  };

  const holdOf = (uid: string, pool: Pool, bytes: number): Hold => {
    pool.held += bytes;
    return {
      bytes,
      settle: async (billed) => {
        pool.held -= bytes;
        pool.used += billed;
        if (isEnding) await reduce(uid, pool, free(pool));
        else await shrink(uid, pool);
      },
    };
  };

  /** Leases if nothing is leased today. */
  const prepared = (uid: string): Promise<Pool | undefined> => {
    const known = pools.get(uid);
    if (known?.date === utcDate(now())) return Promise.resolve(known);
    return isEnding ? Promise.resolve(undefined) : poolWith(uid, TABLE_BYTES_MIN);
  };

  return {
    prepare: async (uid) => void (await inTurn(uid, () => prepared(uid)).catch(() => undefined)),
    hold: (uid, bytes) => inTurn(uid, async () => holdOf(uid, await poolWith(uid, bytes), bytes)),
    holdFirst: (uid) =>
      inTurn(uid, async () => {
        const pool = await prepared(uid);
        const bytes = pool && !pool.hasFirst ? Math.min(free(pool), pool.chunk) : 0;
        if (!pool || bytes < FIRST_BYTES_MIN) return undefined;
        pool.hasFirst = true;
        const { settle } = holdOf(uid, pool, bytes);
        return {
          bytes,
          settle: (billed: number) => {
            pool.hasFirst = false;
            return settle(billed);
          },
        };
      }).catch(() => undefined),
    giveBack: async () => {
      isEnding = true;
      await Promise.all([...pools].map(([uid, pool]) => reduce(uid, pool, free(pool))));
    },
  };
}

function free({ leased, used, held }: Pool): number {
  return leased - used - held;
}
