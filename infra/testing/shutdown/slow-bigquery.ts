import { EventEmitter, once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import * as v from "valibot";
import { type LocalServer, listenOnLoopback } from "../../local/server.ts";

const Insert = v.object({ jobReference: v.object({ jobId: v.string() }) });
/** An empty summary on the wire. */
const EMPTY_SUMMARY = {
  schema: {
    fields: [
      { name: "total_rows", type: "INTEGER" },
      { name: "unknown_ids", type: "INTEGER", mode: "REPEATED" },
      { name: "newest_date", type: "STRING" },
      { name: "data_versions", type: "STRING", mode: "REPEATED" },
    ],
  },
  rows: [{ f: [{ v: "0" }, { v: [] }, { v: null }, { v: [] }] }],
  totalRows: "1",
};

const STATISTICS = { totalBytesProcessed: "0", query: { totalBytesBilled: "0" } };

/** A BigQuery whose jobs run until they are released. */
export interface SlowBigQuery extends LocalServer {
  /** The ids of the started jobs. Each is billed. */
  readonly started: readonly string[];
  /** Returns how often an existing job was started again. */
  readonly attached: () => number;
  /** Resolves when a client waits for a job. */
  readonly waitedFor: () => Promise<void>;
  /** Completes all jobs from now on. */
  readonly letGo: () => void;
}

/** Starts the server. It supports the requests that run a job of one statement. */
export async function startSlowBigQuery(): Promise<SlowBigQuery> {
  const started: string[] = [];
  const waiting: ServerResponse[] = [];
  const events = new EventEmitter();
  let attached = 0;
  let isDone = false;
  const answer = (response: ServerResponse, body: object, status = 200): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const results = (response: ServerResponse): void =>
    answer(response, { kind: "bigquery#getQueryResultsResponse", jobComplete: true, ...EMPTY_SUMMARY });
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const { jobReference } = v.parse(Insert, await json(request));
      const isKnown = started.includes(jobReference.jobId);
      if (isKnown) attached++;
      else started.push(jobReference.jobId);
      const duplicate = { error: { code: 409, message: "Already Exists", errors: [{ reason: "duplicate", message: "Already Exists" }] } };
      return isKnown ? answer(response, duplicate, 409) : answer(response, { jobReference, status: { state: "RUNNING" } });
    }
    if (!/\/queries\//.test(request.url ?? ""))
      return answer(response, { status: { state: isDone ? "DONE" : "RUNNING" }, statistics: STATISTICS });
    if (isDone) return results(response);
    waiting.push(response);
    events.emit("waiting");
  });
  const { address, close } = await listenOnLoopback(server);
  return {
    address,
    started,
    attached: () => attached,
    waitedFor: async () => {
      if (waiting.length === 0) await once(events, "waiting");
    },
    letGo: () => {
      isDone = true;
      for (const response of waiting.splice(0)) results(response);
    },
    close,
  };
}
