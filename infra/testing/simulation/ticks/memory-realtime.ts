import { outcomeWith, type Warehouse } from "../../../../shared/google/bigquery.ts";
import { type Parameters, rowsOf, type Statement } from "../../../../shared/google/statement.ts";
import type { HeadcountRow } from "../../../../shared/realtime/headcount-rows.ts";
import type { HeadcountsCopy } from "../../../../shared/realtime/headcounts-copy.ts";
import type { MonitoredMaps } from "../../../../shared/realtime/monitored-maps-table.ts";
import type { MonitoredRow } from "../../../../shared/realtime/monitored-rows.ts";
import { abortable, ShuttingDown } from "../../../../shared/runtime/shutdown-signal.ts";
import type { Process } from "../process.ts";
import type { World } from "../world.ts";
import { memoryJobs, type WarehouseManner } from "./memory-warehouse-jobs.ts";

const PRESENCE_MS = 5 * 60_000;

export interface MemoryRealtime {
  /** The rows of `realtime.monitored_maps`, in the order of their arrival. */
  readonly versions: () => readonly MonitoredRow[];
  /** The headcounts in the home location and in EU, by tick. */
  readonly here: ReadonlyMap<string, readonly HeadcountRow[]>;
  readonly eu: ReadonlyMap<string, readonly HeadcountRow[]>;
  /** The ticks whose statement has finished, with or without rows. */
  readonly computed: ReadonlySet<string>;
  readonly portsOf: (process: Process) => {
    readonly warehouse: Pick<Warehouse, "start" | "wait" | "query">;
    readonly copy: HeadcountsCopy;
    readonly monitoredMaps: MonitoredMaps;
  };
}

/** The options of the warehouse besides its behaviour. */
interface RealtimeOptions {
  /** Ticks that the warehouse never computes. */
  readonly isDoomed: (tick: string) => boolean;
  /** Called for each row that is added twice to a table, and for each row that only the copy has. */
  readonly watch: (problem: string) => void;
}

export function memoryRealtime(world: World, manner: () => WarehouseManner, { isDoomed, watch }: RealtimeOptions): MemoryRealtime {
  const jobs = memoryJobs(world, manner);
  const loads = memoryJobs(world, manner);
  let versions: MonitoredRow[] = [];
  const here = new Map<string, HeadcountRow[]>();
  const eu = new Map<string, HeadcountRow[]>();
  const computed = new Set<string>();

  const add = (table: Map<string, HeadcountRow[]>, tick: string, rows: readonly HeadcountRow[], name: string): void => {
    const present = table.get(tick) ?? [];
    for (const row of rows)
      if (present.some(({ target_id }) => target_id === row.target_id)) watch(`${row.target_id} twice at ${tick} in ${name}`);
    table.set(tick, [...present, ...rows]);
    world.count(`headcounts in ${name}`);
  };

  /** The statement reads its input at the start and adds its rows at the end: two concurrent statements of one tick would both add rows. */
  const compute = ({ tick, map_id, version }: Record<"tick" | "map_id" | "version", unknown>): (() => void) | undefined => {
    const at = String(tick);
    if (isDoomed(at)) return undefined;
    const present = (here.get(at) ?? []).map(({ target_id }) => target_id);
    const timestamp = newestPresence(at);
    const measured = map_id === undefined ? inForce(versions, at) : versionOf(versions, map_id, version);
    const rows = measured
      .filter((row) => !present.includes(row.map_id))
      .map((row) => ({
        ...{ tick: at, timestamp, uid: row.uid, target_id: row.map_id, target_name: `${row.name} v${row.version}` },
        ...{ people_count: 1, result: "SUCCESS" as const },
      }));
    return () => {
      if (map_id === undefined) computed.add(at);
      if (rows.length > 0) add(here, at, rows, map_id === undefined ? "the table" : "the table, of one map");
    };
  };
  const compact = (before: string): (() => void) => {
    const isOld = (row: MonitoredRow): boolean => row.appended_at < before;
    const deleted = versions.filter(
      (old) => isOld(old) && versions.some((newer) => newer.map_id === old.map_id && newer.version > old.version && isOld(newer)),
    );
    return () => {
      versions = versions.filter((row) => !deleted.includes(row));
    };
  };
  const answer = ({ sql, parameters }: Statement): readonly unknown[] => {
    jobs.arrive();
    const tick = String(parameters.tick?.value);
    if (sql.includes("mobility.batches")) return [{ tick: { value: newestPresence(tick) } }];
    const only = parameters.map_id?.value;
    const rows = (here.get(tick) ?? []).filter(({ target_id }) => only === undefined || target_id === only);
    return rows.map((row) => ({ ...row, tick: { value: row.tick }, timestamp: { value: row.timestamp } }));
  };

  return {
    versions: () => versions,
    here,
    eu,
    computed,
    portsOf: ({ step }) => ({
      warehouse: {
        start: (id, { parameters }) =>
          step(`warehouse.start ${short(id)}`, () =>
            jobs.start(id, () => (parameters.tick ? compute(valuesOf(parameters)) : compact(String(parameters.before?.value)))),
          ),
        wait: async (id, statement, milliseconds, shutdownSignal) => {
          const notBefore = Math.min(world.time + milliseconds, jobs.endOf(id) + 1);
          try {
            const found = step(`warehouse.wait ${short(id)}`, () => jobs.outcome(id), { notBefore });
            return outcomeWith(statement, await abortable(found, shutdownSignal));
          } catch (error) {
            if (error instanceof ShuttingDown) return { state: "running", progress: 0 };
            throw error;
          }
        },
        query: (statement) => step(`warehouse.query ${statement.sql.slice(0, 20)}`, () => rowsOf(statement, answer(statement))),
      },
      copy: {
        load: async (id, rows) => {
          const tick = rows[0]?.tick ?? "";
          const end = (): void => {
            const missing = rows.find(({ target_id }) => !here.get(tick)?.some((row) => row.target_id === target_id));
            if (missing) watch(`${missing.target_id} at ${tick} in eu only`);
            add(eu, tick, rows, "eu");
          };
          await step(`copy.load ${short(id)}`, () => loads.start(id, () => end));
          const outcome = await step(`copy.wait ${short(id)}`, () => loads.outcome(id), { notBefore: loads.endOf(id) + 1 });
          return outcome.state === "failed" ? outcome.message : undefined;
        },
      },
      monitoredMaps: {
        append: async (rows) => {
          for (const row of [...rows].reverse())
            await step(`append ${row.map_id} v${row.version} ${row.is_monitored}`, () => {
              jobs.arrive();
              versions = [...versions, row];
            });
        },
      },
    }),
  };
}

/** Evaluates the statement's `versions` and `maps`: one row per map, because no map here has more than one part. */
function inForce(versions: readonly MonitoredRow[], tick: string): MonitoredRow[] {
  const byMap = Map.groupBy(versions, ({ map_id }) => map_id);
  return [...byMap.values()].flatMap((rows) => {
    const ordered = [...rows].sort((a, b) => a.version - b.version || Number(a.is_monitored) - Number(b.is_monitored));
    if (!ordered.at(-1)?.is_monitored) return [];
    const version = (ordered.findLast(({ appended_at }) => appended_at <= tick) ?? ordered[0])?.version;
    return ordered.filter((row) => row.version === version && row.is_monitored).slice(0, 1);
  });
}

/** Evaluates the statement's `versions` and `maps` for one map. */
function versionOf(versions: readonly MonitoredRow[], mapId: unknown, version: unknown): MonitoredRow[] {
  const rows = versions.filter(({ map_id }) => map_id === mapId);
  const isNewest = rows.every((row) => row.version <= Number(version));
  return isNewest ? rows.filter((row) => row.version === version && row.is_monitored).slice(0, 1) : [];
}

function valuesOf({ tick, map_id, version }: Parameters) {
  return { tick: tick?.value, map_id: map_id?.value, version: version?.value };
}

function newestPresence(tick: string): string {
  return new Date(Math.floor(Date.parse(tick) / PRESENCE_MS) * PRESENCE_MS).toISOString();
}

/** Formats a job's id for a trace: of a tick, its time of day and the attempt. */
function short(id: string): string {
  return id.replace(/^refresh_\d{8}T(\d{6})\d{3}/, "$1");
}
