import { type Fate, type Fates, fatesOf } from "../faults/fate.ts";
import { startGrpcProxy } from "../faults/grpc-proxy.ts";
import { startHttpProxy } from "../faults/http-proxy.ts";
import type { Random } from "../simulation/random.ts";

export type Environment = Readonly<Record<string, string>>;

/** The proxies between the functions and their cloud. */
export interface Between {
  /** Returns the functions' environment with the proxies' addresses instead of the cloud's. */
  readonly environment: Environment;
  readonly calm: () => void;
  readonly counts: () => Readonly<Record<string, Readonly<Record<Fate, number>>>>;
  readonly close: () => Promise<void>;
}

/** The gRPC dependencies, with the environment variable of each `host:port`. */
const GRPC = { Firestore: "FIRESTORE_EMULATOR_HOST", Tasks: "TASKS_ADDRESS" };
/** The HTTP dependencies, with the environment variable of each URL. */
const HTTP = { BigQuery: "BIGQUERY_URL", Storage: "STORAGE_URL" };

/** Starts a proxy for each dependency. It injects a fault into a share `rate` of the calls. */
export async function startBetween(environment: Environment, random: Random, rate: number): Promise<Between> {
  const fates = new Map<string, Fates>();
  const drawn = (name: string): Fates => {
    const own = fatesOf(random, rate);
    fates.set(name, own);
    return own;
  };
  const grpc = Object.entries(GRPC).map(async ([name, variable]) => {
    const server = await startGrpcProxy(environment[variable] ?? "", drawn(name));
    return { server, variable, value: server.address };
  });
  const http = Object.entries(HTTP).map(async ([name, variable]) => {
    const server = await startHttpProxy(new URL(environment[variable] ?? "").host, drawn(name));
    return { server, variable, value: `http://${server.address}` };
  });
  const proxies = await Promise.all([...grpc, ...http]);
  return {
    environment: { ...environment, ...Object.fromEntries(proxies.map(({ variable, value }) => [variable, value])) },
    calm: () => {
      for (const own of fates.values()) own.calm();
    },
    counts: () => Object.fromEntries([...fates].map(([name, own]) => [name, own.counts()])),
    close: async () => {
      await Promise.all(proxies.map(({ server }) => server.close()));
    },
  };
}
