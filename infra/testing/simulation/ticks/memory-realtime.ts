import { outcomeWith, type Warehouse } from "../../../../shared/google/bigquery.ts";
import { type Parameters, rowsOf, type Statement } from "../../../../shared/google/statement.ts";
import type { CustomerTables } from "../../../../shared/realtime/customer-tables.ts";
import type { HeadcountRow } from "../../../../shared/realtime/headcount-rows.ts";
import type { CellsRow, MapCells } from "../../../../shared/realtime/map-cells-table.ts";
import type { MonitoredMaps } from "../../../../shared/realtime/monitored-maps-table.ts";
import type { MonitoredRow } from "../../../../shared/realtime/monitored-rows.ts";
import { tickName } from "../../../../shared/realtime/tick-state.ts";
import { abortable, ShuttingDown } from "../../../../shared/runtime/shutdown-signal.ts";
import type { Process } from "../process.ts";
import type { World } from "../world.ts";
import { memoryJobs, type WarehouseManner } from "./memory-warehouse-jobs.ts";

const PRESENCE_MS = 5 * 60_000;
/** How long the warehouse lets a delivery rely on cells: as `standingPartsStatement` says. */
const RELIED_ON_MS = 3_600_000;

export interface MemoryRealtime {
  /** The rows of `realtime.monitored_maps`, in the order of their arrival. */
  readonly versions: () => readonly MonitoredRow[];
  /** Returns whether all cells of a version are there. */
  readonly hasCells: (version: MonitoredRow) => boolean;
  /** The headcounts of all, and those in the customers' own tables, by tick. */
  readonly here: ReadonlyMap<string, readonly HeadcountRow[]>;
  readonly copied: ReadonlyMap<string, readonly HeadcountRow[]>;
  /** The ticks whose statement has finished, with or without rows. */
  readonly computed: ReadonlySet<string>;
  readonly portsOf: (process: Process) => {
    readonly warehouse: Pick<Warehouse, "start" | "wait" | "query">;
    readonly tables: Pick<CustomerTables, "list" | "load" | "held">;
    readonly monitoredMaps: MonitoredMaps;
    readonly mapCells: MapCells;
  };
}

/** The options of the warehouse besides its behaviour. */
interface RealtimeOptions {
  /** The customers, each of whom has a table. */
  readonly uids: readonly string[];
  /** Ticks that the warehouse never computes. */
  readonly isDoomed: (tick: string) => boolean;
  /** Called for each row that is added twice to a table, for each that only its customer's table has, and for each in another's. */
  readonly watch: (problem: string) => void;
  /** Called for a measured version whose cells are not all there, and for cells that are appended though they stand. */
  readonly watchCells: (problem: string) => void;
}

export function memoryRealtime(
  world: World,
  manner: () => WarehouseManner,
  { uids, isDoomed, watch, watchCells }: RealtimeOptions,
): MemoryRealtime {
  const jobs = memoryJobs(world, manner);
  const loads = memoryJobs(world, manner);
  let versions: MonitoredRow[] = [];
  let cells: CellsRow[] = [];
  const here = new Map<string, HeadcountRow[]>();
  const copied = new Map<string, HeadcountRow[]>();
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
    for (const row of measured) if (!hasCells(row)) watchCells(`${row.map_id} v${row.version} lacks some at ${at}`);
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
  /** A statement of the compaction: it misses what is appended while it runs. */
  const compact = (sql: string, before: string): (() => void) => {
    const isOld = (row: { readonly appended_at: string }): boolean => row.appended_at < before;
    if (sql.includes("map_cells")) {
      const deleted = cells.filter((row) => isOld(row) && !versions.some(({ geometry_hash }) => geometry_hash === row.geometry_hash));
      return () => {
        if (deleted.length > 0) world.count("cells that are compacted");
        cells = cells.filter((row) => !deleted.includes(row));
      };
    }
    const isOn = ({ map_id }: MonitoredRow): boolean => versions.some((row) => row.map_id === map_id && row.is_monitored);
    const isEnded = (row: MonitoredRow): boolean => !row.is_monitored && !isOn(row);
    const goes = sql.includes("ended") ? isEnded : (row: MonitoredRow) => isSuperseded(versions, row, before);
    const deleted = versions.filter((row) => isOld(row) && goes(row));
    return () => {
      versions = versions.filter((row) => !deleted.includes(row));
    };
  };
  /** The headcounts of some customers that earlier ticks have left, and those beside them. */
  const ofCustomers = ({ uids: asked, carry_since: since, last }: Parameters): readonly unknown[] => {
    world.count("queries of what is left of earlier ticks");
    const rows = [...here].flatMap(([at, all]) => (at > String(since?.value) && at <= String(last?.value) ? all : []));
    return rows.filter(({ uid }) => asked?.type === "ARRAY<STRING>" && asked.value.includes(uid)).map(asStored);
  };
  const asStored = (row: HeadcountRow) => ({ ...row, tick: { value: row.tick }, timestamp: { value: row.timestamp } });

  const answer = ({ sql, parameters }: Statement): readonly unknown[] => {
    jobs.arrive();
    const tick = String(parameters.tick?.value);
    if (parameters.uids) return ofCustomers(parameters);
    if (sql.includes("mobility.batches")) return [{ tick: { value: newestPresence(tick) } }];
    const only = parameters.map_id?.value;
    const isCarried = (at: string): boolean =>
      parameters.carry_since !== undefined &&
      at > String(parameters.carry_since.value) &&
      at < tick &&
      Date.parse(at) % Number(parameters.interval_ms?.value) !== 0;
    const rows = [...here].flatMap(([at, all]) => (at === tick || isCarried(at) ? all : []));
    return rows.filter(({ target_id }) => only === undefined || target_id === only).map(asStored);
  };

  const hasCells = ({ geometry_hash, cell_parts }: MonitoredRow): boolean =>
    geometry_hash === null || new Set(cells.flatMap((row) => (row.geometry_hash === geometry_hash ? [row.part] : []))).size === cell_parts;
  const standing = (uid: string, since: string): CellsRow[] => {
    const held = new Set(versions.flatMap((row) => (isSuperseded(versions, row, since) ? [] : [row.geometry_hash])));
    return cells.filter((row) => row.uid === uid && (held.has(row.geometry_hash) || row.appended_at >= since));
  };

  const mapCellsOf = ({ step }: Process): MapCells => {
    const told = new Set<string>();
    // Not by the hash: cells that get another name are appended again too.
    const contentOf = ({ uid, country_code, cells }: CellsRow): string => JSON.stringify([uid, country_code, cells]);
    return {
      standing: (uid, hash, now) =>
        step(`cells.standing ${hash.slice(0, 8)}`, () => {
          jobs.arrive();
          const own = standing(uid, new Date(now.getTime() - RELIED_ON_MS).toISOString());
          for (const row of own) told.add(contentOf(row));
          const found = own.filter(({ geometry_hash }) => geometry_hash === hash);
          if (found.length > 0) world.count("cells that stand");
          return [...new Map(found.map(({ part, parts }) => [part, { part, parts }])).values()];
        }),
      append: async (rows) => {
        for (const row of rows)
          await step(`append cells ${row.geometry_hash.slice(0, 8)}-${row.part}`, () => {
            jobs.arrive();
            if (told.has(contentOf(row))) watchCells(`${row.geometry_hash.slice(0, 8)}-${row.part} is appended though its cells stand`);
            cells = [...cells, row];
          });
      },
    };
  };

  return {
    versions: () => versions,
    hasCells,
    here,
    copied,
    computed,
    portsOf: ({ name, step }) => ({
      mapCells: mapCellsOf({ name, step }),
      warehouse: {
        start: (id, { sql, parameters }) =>
          step(`warehouse.start ${short(id)}`, () =>
            jobs.start(id, () => (parameters.tick ? compute(valuesOf(parameters)) : compact(sql, String(parameters.before?.value)))),
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
      tables: {
        list: () =>
          step("tables.list", () => {
            jobs.arrive();
            return uids.map((uid) => ({ dataset: "realtime_eu", uid, fill: { before: new Date(0), isDone: true } }) as const);
          }),
        held: () => Promise.reject(new Error("no row here is older than its table")),
        load: async ({ uid }, id, rows, shutdownSignal) => {
          const end = (): void => {
            for (const row of rows) {
              if (row.uid !== uid) watch(`${row.target_id} in the table of ${uid}`);
              if (!here.get(row.tick)?.some(({ target_id }) => target_id === row.target_id))
                watch(`${row.target_id} at ${row.tick} in its customer's table only`);
              add(copied, row.tick, [row], "the customers' tables");
              if (!id.includes(tickName(new Date(row.tick)))) world.count("headcounts that a later tick loads");
            }
          };
          const isNew = await step(`tables.load ${short(id)}`, () => {
            const isUnknown = loads.endOf(id) === 0;
            loads.start(id, () => end);
            return isUnknown;
          });
          const ended = step(`tables.wait ${short(id)}`, () => loads.outcome(id), { notBefore: loads.endOf(id) + 1 });
          const outcome = await abortable(ended, shutdownSignal);
          return outcome.state === "failed" ? { state: "failed", isMissing: false, isNew, message: outcome.message } : { state: "done" };
        },
      },
      monitoredMaps: {
        append: (row) =>
          step(`append ${row.map_id} v${row.version} ${row.is_monitored}`, () => {
            jobs.arrive();
            versions = [...versions, row];
          }),
      },
    }),
  };
}

/** Whether a version has been superseded since before an instant. */
function isSuperseded(versions: readonly MonitoredRow[], old: MonitoredRow, before: string): boolean {
  return versions.some((newer) => newer.map_id === old.map_id && newer.version > old.version && newer.appended_at < before);
}

/** Evaluates the statement's `versions` and `maps`: one row per map. */
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
