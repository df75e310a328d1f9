import { Any, type Client, Failed, JobResults, JobStand, ShownMap } from "./client.ts";

/** What a customer was told about a map: `deleted`, or its name and whether it is monitored. */
type KnownMap = "deleted" | { readonly name: string; readonly isMonitored: boolean };

/** The writes that were acknowledged to one customer. Its requests follow one another, so that the last one counts. */
export interface Ledger {
  readonly maps: Map<string, KnownMap>;
  readonly jobs: Set<string>;
  writes: number;
}

export function emptyLedger(): Ledger {
  return { maps: new Map(), jobs: new Set(), writes: 0 };
}

/** Returns a line for each acknowledged write that cannot be read any more, or reads otherwise. Jobs must have ended. */
export async function lostWrites(client: Client, ledger: Ledger): Promise<string[]> {
  const lost: string[] = [];
  const look = async (read: () => Promise<string | undefined>): Promise<void> => {
    try {
      lost.push(...[(await read()) ?? []].flat());
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      lost.push(error.message);
    }
  };
  for (const [id, known] of ledger.maps) await look(() => lostMap(client, id, known));
  for (const id of ledger.jobs) await look(() => lostJob(client, id));
  return lost;
}

async function lostMap(client: Client, id: string, known: KnownMap): Promise<string | undefined> {
  const call = { api: "users", path: `/admin/maps/${id}` } as const;
  if (known === "deleted") {
    await client.send(call, 404, Any);
    return undefined;
  }
  const { name, is_monitored } = await client.send(call, 200, ShownMap);
  const isSame = name === known.name && is_monitored === known.isMonitored;
  return isSame ? undefined : `The map ${id} is ${JSON.stringify({ name, is_monitored })}, not ${JSON.stringify(known)}`;
}

async function lostJob(client: Client, id: string): Promise<string | undefined> {
  const { status, error } = await client.send({ api: "data", path: `/data-agg/status/${id}` }, 200, JobStand);
  if (status !== "completed") return `The job ${id} is ${status}: ${error}`;
  await client.send({ api: "data", path: `/data-agg/results/${id}` }, 200, JobResults);
  return undefined;
}
