import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import * as v from "valibot";
import { type LocalServer, listenOnLoopback } from "../../local/server.ts";

/** The version that serves, and the one that is released. */
export type Version = "N-1" | "N";

/** A request that the front has passed on. */
export interface Passed {
  /** `users`, `data`, or the name of a topic's function. */
  readonly entrance: string;
  readonly version: Version;
  /** Undefined when the version did not answer. */
  readonly status: number | undefined;
  /** The job of a message to a worker. */
  readonly jobId?: string | undefined;
}

/** Where requests arrive: the load balancer for the two APIs, and the addresses that Pub/Sub pushes to. */
export interface Front {
  readonly urlOf: (entrance: string) => string;
  /** Points a version at the addresses of its functions, by entrance. */
  readonly point: (version: Version, ports: Readonly<Record<string, number>>) => void;
  /** Sends this share of the requests to the two APIs to N, from 0 to 1: of 20 requests with 0.05 exactly one. */
  readonly shift: (share: number) => void;
  /** Sends all messages to one version: workers are never split. */
  readonly switchWorkers: (version: Version) => void;
  /** Resolves when the requests that are under way now are answered. */
  readonly settled: () => Promise<void>;
  /** All requests, in the order in which they were answered. */
  readonly passed: () => readonly Passed[];
  readonly close: () => Promise<void>;
}

const APIS = ["users", "data"] as const;
const Push = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    message: v.object({
      data: v.pipe(
        v.string(),
        v.transform((data) => Buffer.from(data, "base64").toString("utf8")),
        v.parseJson(),
        v.object({ job_id: v.string() }),
      ),
    }),
  }),
);

/** Starts a front with an address for each API and each of the workers. Everything goes to N-1 until it is told otherwise. */
export async function startFront(workers: readonly string[]): Promise<Front> {
  const passed: Passed[] = [];
  const under = new Set<Promise<void>>();
  const ports = new Map<Version, Readonly<Record<string, number>>>();
  const agent = new Agent({ keepAlive: true });
  let share = 0;
  let owed = 0;
  let working: Version = "N-1";
  /** Splits without chance: the rest of each request's share is kept until it makes a whole request. */
  const next = (): Version => {
    owed += share;
    if (owed < 1 - Number.EPSILON * 100) return "N-1";
    owed -= 1;
    return "N";
  };
  const pass = async (entrance: string, isApi: boolean, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const version = isApi ? next() : working;
    const port = ports.get(version)?.[entrance];
    const body = Buffer.concat(await incoming.toArray());
    const push = isApi ? undefined : v.safeParse(Push, body.toString("utf8"));
    const jobId = push?.success ? { jobId: push.output.message.data.job_id } : {};
    const { method, url: path, headers } = incoming;
    const target = { host: "127.0.0.1", port, method, path, headers, ...(isApi ? { agent } : {}) };
    const status = await new Promise<number | undefined>((answered) => {
      const call = request(target, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
        answer.once("close", () => answered(answer.complete ? answer.statusCode : undefined));
      });
      call.once("error", () => answered(undefined));
      call.end(body);
    });
    passed.push({ entrance, version, status, ...jobId });
    if (status === undefined) incoming.socket.destroy();
  };
  const servers = new Map<string, LocalServer>();
  for (const entrance of [...APIS, ...workers]) {
    const isApi = !workers.includes(entrance);
    const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
      const passing = pass(entrance, isApi, incoming, outgoing).catch(() => void incoming.socket.destroy());
      under.add(passing);
      void passing.finally(() => under.delete(passing));
    });
    servers.set(entrance, await listenOnLoopback(server));
  }
  return {
    urlOf: (entrance) => {
      const server = servers.get(entrance);
      if (!server) throw new Error(`The front has no entrance ${entrance}`);
      return `http://${server.address}`;
    },
    point: (version, own) => void ports.set(version, own),
    shift: (part) => {
      share = part;
      owed = 0;
    },
    switchWorkers: (version) => {
      working = version;
    },
    settled: async () => void (await Promise.all(under)),
    passed: () => passed,
    close: async () => {
      await Promise.all([...servers.values()].map((server) => server.close()));
      agent.destroy();
    },
  };
}
