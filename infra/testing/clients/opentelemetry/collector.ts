import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { freePort } from "../../../local/free-port.ts";

/** A span as the collector writes it: what it did not know is not there. */
const Span = v.object({
  traceId: v.string(),
  spanId: v.string(),
  parentSpanId: v.optional(v.string()),
  traceState: v.optional(v.string(), ""),
  name: v.string(),
  kind: v.number(),
});
export type CollectedSpan = v.InferOutput<typeof Span>;
const Line = v.object({ resourceSpans: v.array(v.object({ scopeSpans: v.array(v.object({ spans: v.array(Span) })) })) });

const STARTS_WITHIN_MS = 20_000;
const POLL_MS = 50;

export interface Collector {
  readonly url: string;
  /** What has arrived so far. */
  arrived(): CollectedSpan[];
  /** What its own sampler has kept so far. */
  kept(): CollectedSpan[];
  stop(): Promise<void>;
}

/** Starts a collector that writes all spans to one file, and to another one those of a share of the traces, in percent. */
export async function startCollector(program: string, folder: string, percent: number): Promise<Collector> {
  const port = await freePort();
  const [all, sampled] = ["all", "sampled"].map((name) => join(folder, `${name}.jsonl`));
  const file = (path: string | undefined) => ({ path, flush_interval: "100ms" });
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    processors: { probabilistic_sampler: { mode: "proportional", sampling_percentage: percent } },
    exporters: { "file/all": file(all), "file/sampled": file(sampled) },
    service: {
      telemetry: { metrics: { level: "none" }, logs: { level: "warn" } },
      pipelines: {
        "traces/all": { receivers: ["otlp"], exporters: ["file/all"] },
        "traces/sampled": { receivers: ["otlp"], processors: ["probabilistic_sampler"], exporters: ["file/sampled"] },
      },
    },
  };
  // YAML takes JSON.
  const path = join(folder, "collector.yaml");
  writeFileSync(path, JSON.stringify(config));
  const child = spawn(program, ["--config", path], { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += String(text)));
  for (const until = Date.now() + STARTS_WITHIN_MS; !(await listens(port)); await wait(POLL_MS)) {
    if (child.exitCode === null && Date.now() < until) continue;
    child.kill("SIGKILL");
    throw new Error(`The collector does not start: ${said}`);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    arrived: () => spansIn(all),
    kept: () => spansIn(sampled),
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("connect", () => socket.destroy()).once("error", () => resolve(false));
  });
}

/** Reads the spans of a file's whole lines. */
function spansIn(path: string | undefined): CollectedSpan[] {
  if (path === undefined || !existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.flatMap((line) =>
    v.parse(Line, JSON.parse(line)).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}
