import type { ExportSink } from "../export/sink.ts";
import type { TableRef } from "../model.ts";
import type { ByteEstimates } from "../warehouse/bytes.ts";
import type { MetadataCatalog } from "../warehouse/catalog.ts";
import type { Database } from "../warehouse/database.ts";
import type { Definitions } from "../warehouse/definitions.ts";
import type { HeldTables } from "../warehouse/held-tables.ts";
import type { Locks } from "../warehouse/locks.ts";
import type { StreamingBuffer } from "../warehouse/streaming-buffer.ts";
import type { JobPersistence } from "./job-persistence.ts";
import type { JobStore } from "./job-store.ts";
import type { ResultStore } from "./results.ts";

/** The dependencies of running queries. */
export interface QueryEngine {
  readonly database: Database;
  readonly catalog: MetadataCatalog;
  readonly definitions: Definitions;
  readonly estimates: ByteEstimates;
  readonly locks: Locks;
  readonly held: HeldTables;
  readonly jobs: JobStore;
  /** Persists jobs for another process. Undefined without persistence. */
  readonly persistence: JobPersistence | undefined;
  readonly results: ResultStore;
  readonly sink: ExportSink;
  readonly streamed: StreamingBuffer;
  /** The bucket whose objects loads read. Default: none. */
  readonly landingBucket: string | undefined;
  readonly tempDir: string;
  /** The directory for the files of load jobs. */
  readonly uploads: string;
  readonly now: () => number;
  /** Called with each table that a job changed. */
  readonly changed: (ref: TableRef) => void;
}
