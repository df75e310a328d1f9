import cancelEndpoint from "../../../../functions/aggregation/cancel.ts";
import submitEndpoint from "../../../../functions/aggregation/submit.ts";
import { failDeadLettered } from "../../../../shared/aggregation/dead-letter.ts";
import { runJob } from "../../../../shared/aggregation/run-job.ts";
import { sweepJobs } from "../../../../shared/aggregation/sweep-jobs.ts";
import { countries } from "../../../../shared/countries/countries.ts";
import type { BestEffort } from "../../../../shared/http/dependency-errors.ts";
import type { JobMessage } from "../../../../shared/jobs/job-message.ts";
import type { IncomingRequest } from "../../../../shared/products/product.ts";
import { parseConfig } from "../../../../shared/runtime/config.ts";
import type { Log } from "../../../../shared/runtime/log.ts";
import { askerOf } from "../asker.ts";
import type { Process } from "../process.ts";
import type { World } from "../world.ts";
import type { MemoryBucket } from "./memory-bucket.ts";
import type { MemoryJobs } from "./memory-jobs.ts";
import type { MemoryMessages } from "./memory-messages.ts";
import type { MemoryWarehouse } from "./memory-warehouse.ts";

const ENVIRONMENT = { GOOGLE_CLOUD_PROJECT: "populus-simulated", ENVIRONMENT: "local", EXPORT_BUCKET: "exports" };
const CONFIG = parseConfig(ENVIRONMENT);
// The endpoints read the countries from the configuration of their process.
for (const [name, value] of Object.entries(ENVIRONMENT)) process.env[name] ??= value;

/** What each job reserves: more than some are billed, and less than others. */
const RESERVED = 300;
const NO_LEASES = { on: async () => 0, add: async () => undefined, remove: async () => 0 };

/** The in-memory dependencies of the job path. */
export interface Cloud {
  readonly jobs: MemoryJobs;
  readonly warehouse: MemoryWarehouse;
  readonly bucket: MemoryBucket;
  readonly messages: MemoryMessages;
}

/** The code under test, as the functions run it, over in-memory dependencies. Each call is the whole life of one process. */
export interface JobPath {
  readonly deliver: (message: JobMessage, process: Process, shutdownSignal: AbortSignal) => Promise<void>;
  readonly bury: (message: JobMessage, process: Process) => Promise<void>;
  readonly sweep: (process: Process, shutdownSignal: AbortSignal) => Promise<void>;
  readonly submit: (submission: Submission, process: Process) => Promise<string>;
  readonly cancel: (uid: string, jobId: string, process: Process) => Promise<void>;
}

/** A customer's request. The service generates the job's id. */
interface Submission {
  readonly uid: string;
  readonly body: IncomingRequest;
  readonly idempotencyKey: string;
  readonly newId: () => string;
}

export function jobPathOver(world: World, { jobs, warehouse, bucket, messages }: Cloud, batch: number): JobPath {
  const { now } = world;
  const portsOf = (process: Process) => {
    const log: Log = (severity, message, fields) => {
      if (world.isTraced) world.say(process.name, `log ${severity}`, `${message} ${fields?.fault ?? fields?.reason ?? ""}`);
    };
    return {
      jobs: jobs.portOf(process),
      warehouse: warehouse.portOf(process),
      exports: bucket.portOf(process),
      queue: messages.queueOf(process),
      topic: messages.topicOf(process),
      now,
      log,
    };
  };
  const request = (process: Process) => ({
    config: CONFIG,
    now,
    log: portsOf(process).log,
    audit: () => undefined,
    bestEffort,
    turn: async () => undefined,
  });
  const bestEffort: BestEffort = async (work) => {
    try {
      return await work;
    } catch {
      return undefined;
    }
  };
  const noId = (): string => {
    throw new Error("this endpoint makes no ids");
  };
  return {
    deliver: (message, process, shutdownSignal) =>
      runJob(message, { ...portsOf(process), countries: countries(), exportBucket: CONFIG.exportBucket, shutdownSignal }),
    bury: (message, process) => failDeadLettered(message, portsOf(process)),
    sweep: (process, shutdownSignal) => sweepJobs({ ...portsOf(process), batch, shutdownSignal }),
    submit: async ({ uid, body, idempotencyKey, newId }, process) => {
      const header = (name: string): string | undefined => (name === "idempotency-key" ? idempotencyKey : undefined);
      const context = { ...request(process), newId, header };
      const ports = portsOf(process);
      const { body: answer } = await submitEndpoint.handler(
        { params: {}, query: {}, body, ...askerOf(uid, []) },
        {
          ...ports,
          warehouse: { ...ports.warehouse, queryRecent: ports.warehouse.query },
          reservedBytes: async () => RESERVED,
          leasedBytes: NO_LEASES,
        },
        context,
      );
      return answer.job_id;
    },
    cancel: async (uid, jobId, process) => {
      const context = { ...request(process), newId: noId, header: () => undefined };
      const call = { params: { job_id: jobId }, query: {}, body: {}, ...askerOf(uid, []) };
      await cancelEndpoint.handler(call, portsOf(process), context);
    },
  };
}
