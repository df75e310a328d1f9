/**
 * DuckDB's `memory_limit` for tables in a file and in memory. Of a file it keeps in memory what it has read and written, up to the limit. With 768 MB
 * instead of 2 GB an import takes no longer, and a sample at scale 10 a tenth more CPU. Tables in memory count in full.
 */
export const MEMORY_LIMITS = { onDisk: "768MB", inMemory: "2GB" } as const;
