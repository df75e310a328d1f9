import * as v from "valibot";
import { type ErrorProto, errorProto } from "../errors.ts";
import { BigQueryError } from "../model.ts";
import { FieldSchema, TableRefSchema } from "../warehouse/catalog-schemas.ts";
import { Job, type JobWork, queryStatistics } from "./job.ts";
import { ResultLayoutSchema, type ResultStore } from "./results.ts";

const ErrorSchema = v.object({ reason: v.string(), message: v.string(), location: v.exactOptional(v.string()) });
const Configuration = v.record(v.string(), v.unknown());

const QueryRecord = v.object({
  kind: v.literal("QUERY"),
  configuration: Configuration,
  statistics: v.object({
    statementType: v.string(),
    totalBytesProcessed: v.number(),
    totalBytesBilled: v.number(),
    referencedTables: v.array(TableRefSchema),
    schema: v.exactOptional(v.array(FieldSchema)),
    dml: v.exactOptional(v.object({ inserted: v.number(), updated: v.number(), deleted: v.number() })),
    ddl: v.exactOptional(v.object({ operation: v.string(), table: v.exactOptional(TableRefSchema) })),
    exported: v.exactOptional(v.object({ fileCount: v.number(), rowCount: v.number() })),
  }),
});

const LoadRecord = v.object({
  kind: v.literal("LOAD"),
  configuration: Configuration,
  statistics: v.object({ inputFileBytes: v.number(), outputRows: v.number(), outputBytes: v.number() }),
});

/** A job as stored in the database. Times are epoch milliseconds. */
export const JobRecordSchema = v.object({
  reference: v.object({ project: v.string(), location: v.string(), id: v.string() }),
  owner: v.string(),
  work: v.variant("kind", [QueryRecord, LoadRecord]),
  labels: v.record(v.string(), v.string()),
  creationTime: v.number(),
  reservation: v.exactOptional(v.string()),
  startTime: v.exactOptional(v.number()),
  endTime: v.exactOptional(v.number()),
  error: v.exactOptional(ErrorSchema),
  errors: v.array(ErrorSchema),
  parent: v.exactOptional(v.string()),
  result: v.exactOptional(ResultLayoutSchema),
  requestKey: v.exactOptional(v.string()),
  timeoutMs: v.exactOptional(v.number()),
  upload: v.exactOptional(v.string()),
  statements: v.number(),
  committed: v.number(),
  cancelled: v.exactOptional(v.string()),
});
export type JobRecord = v.InferOutput<typeof JobRecordSchema>;

/** How a job is about to end. */
export interface JobEnd {
  readonly at: number;
  readonly error: BigQueryError | undefined;
  readonly details: readonly ErrorProto[];
}

/** Returns the record of a job: its current state, or with `end` its final one. Of its rows, the record holds only their layout. */
export function recordOf(job: Job, end?: JobEnd): JobRecord {
  const { reference, owner, work, labels, creationTime, reservation, startTime, parent, persisted } = job;
  const endTime = end?.at ?? job.endTime;
  const error = end?.error ?? job.error;
  const errors = end?.error ? [errorProto(end.error), ...end.details] : job.errors;
  return {
    reference,
    owner,
    work: workRecord(work),
    labels,
    creationTime,
    ...(reservation === undefined ? {} : { reservation }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
    ...(error === undefined ? {} : { error: errorProto(error) }),
    errors: [...errors],
    ...(parent === undefined ? {} : { parent: parent.reference.id }),
    ...(job.result === undefined ? {} : { result: job.result.layout() }),
    ...persisted,
  };
}

/** Returns the job of a record. */
export function jobOf(record: JobRecord, results: ResultStore, parent: Job | undefined): Job {
  const { reference, owner, labels, creationTime, reservation, startTime, endTime, error, errors, result } = record;
  const { requestKey, timeoutMs, upload, statements, committed, cancelled } = record;
  const job = new Job({
    reference,
    owner,
    work: restoredWork(record.work),
    labels,
    creationTime,
    reservation,
    ...(parent ? { parent } : {}),
  });
  Object.assign(job.persisted, { statements, committed });
  for (const [name, value] of Object.entries({ requestKey, timeoutMs, upload, cancelled }))
    if (value !== undefined) Object.assign(job.persisted, { [name]: value });
  if (result) job.result = results.restore(result);
  if (startTime !== undefined) job.start(startTime);
  if (endTime !== undefined) {
    const [first, ...details] = error ? errors : [];
    job.finish(endTime, first && new BigQueryError(first.reason, first.message, first.location), details);
  }
  return job;
}

function workRecord(work: JobWork): JobRecord["work"] {
  const configuration = { ...work.configuration };
  if (work.kind === "LOAD") return { kind: "LOAD", configuration, statistics: { ...work.statistics } };
  const { stages: _, dryRun: __, referencedTables, schema, ...statistics } = work.statistics;
  const plain = { ...statistics, referencedTables: [...referencedTables] };
  return { kind: "QUERY", configuration, statistics: schema === undefined ? plain : { ...plain, schema: [...schema] } };
}

function restoredWork(work: JobRecord["work"]): JobWork {
  if (work.kind === "LOAD") return work;
  const { statementType, referencedTables } = work.statistics;
  return { ...work, statistics: { ...queryStatistics(statementType, referencedTables), ...work.statistics } };
}
