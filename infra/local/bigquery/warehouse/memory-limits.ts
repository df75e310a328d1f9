import { availableParallelism } from "node:os";

/** A thread of DuckDB needs 125 MB at least. Source: https://duckdb.org/docs/stable/guides/performance/environment */
const MB_A_THREAD = 128;
const THREADS_MIN = 2;

/**
 * DuckDB's `memory_limit` for tables in a file and in memory. Of a file it keeps in memory what it has read and written, up to the limit: an import takes
 * no longer with 256 MB than with 768. Tables in memory count in full.
 */
export const MEMORY_LIMITS = { onDisk: `${MB_A_THREAD * Math.max(THREADS_MIN, availableParallelism())}MB`, inMemory: "2GB" };

/**
 * The environment that DuckDB's allocator, jemalloc, reads. By default it has several arenas a processor, and each keeps for seconds what was freed: an
 * import of 25 million rows peaks at 813 MiB. With one arena that gives back sooner it peaks at 587, in the same time.
 * Source: https://jemalloc.net/jemalloc.3.html#tuning
 */
export const ALLOCATOR = { DUCKDB_JE_MALLOC_CONF: "narenas:1,dirty_decay_ms:200,muzzy_decay_ms:0" } as const;
