import { availableParallelism } from "node:os";

/** A thread of DuckDB needs 125 MB at least. Source: https://duckdb.org/docs/stable/guides/performance/environment */
const MB_A_THREAD = 128;
const THREADS_MIN = 2;

/**
 * DuckDB's `memory_limit` for tables in a file and in memory. Of a file it keeps in memory what it has read and written, up to the limit, and an import
 * takes no longer with a third of it. Tables in memory count in full.
 */
export const MEMORY_LIMITS = { onDisk: `${MB_A_THREAD * Math.max(THREADS_MIN, availableParallelism())}MB`, inMemory: "2GB" };

/**
 * The environment that DuckDB's allocator, jemalloc, reads. By default it has several arenas a processor, each of which keeps for a while what was freed:
 * 200 MiB in an import. One that gives back after a fifth of a second keeps less than a quarter of that, and is as fast.
 * Source: https://jemalloc.net/jemalloc.3.html#tuning
 */
export const ALLOCATOR = { DUCKDB_JE_MALLOC_CONF: "narenas:1,dirty_decay_ms:200,muzzy_decay_ms:0" } as const;
