import * as v from "valibot";
import removeEndpoint from "../../../../functions/maps/delete.ts";
import updateEndpoint from "../../../../functions/maps/update.ts";
import toggleEndpoint from "../../../../functions/realtime/toggle.ts";
import { countries } from "../../../../shared/countries/countries.ts";
import type { BestEffort } from "../../../../shared/http/dependency-errors.ts";
import { deliverPendingMapChanges } from "../../../../shared/realtime/deliver-pending-changes.ts";
import { MeasureMessage, measureMap } from "../../../../shared/realtime/measure-map.ts";
import { mapChangeContext } from "../../../../shared/realtime/monitoring.ts";
import { refreshHeadcounts } from "../../../../shared/realtime/refresh.ts";
import { parseConfig } from "../../../../shared/runtime/config.ts";
import type { Log } from "../../../../shared/runtime/log.ts";
import { askerOf } from "../asker.ts";
import type { Process } from "../process.ts";
import type { World } from "../world.ts";
import type { MemoryMaps } from "./memory-maps.ts";
import type { MemoryRealtime } from "./memory-realtime.ts";
import type { MemoryTicks } from "./memory-ticks.ts";

const ENVIRONMENT = { GOOGLE_CLOUD_PROJECT: "populus-simulated", ENVIRONMENT: "local", EXPORT_BUCKET: "exports" };
const CONFIG = parseConfig(ENVIRONMENT);
// The endpoints read the countries from the configuration of their process.
for (const [name, value] of Object.entries(ENVIRONMENT)) process.env[name] ??= value;

/** The countries of every customer and key. */
const COUNTRIES = ["EST", "LAT"] as const;
const TICK_MS = 5 * 60_000;
/** Pub/Sub delivers a message soon, and some messages again later. */
const DELIVERY_MS = 2000;
const AGAIN = { chance: 0.3, ms: TICK_MS };
/** The timeout of a delivery. */
const MEASURE_LIFE_MS = 60_000;

/** The in-memory dependencies of realtime. */
export interface Cloud {
  readonly maps: MemoryMaps;
  readonly realtime: MemoryRealtime;
  readonly ticks: MemoryTicks;
}

/** The code under test, as the functions run it, over in-memory dependencies. Each call is the whole life of one process. */
export interface Realtime {
  readonly refresh: (tick: Date, tickMs: number | undefined, process: Process, shutdownSignal: AbortSignal) => Promise<void>;
  readonly sweep: (process: Process, shutdownSignal: AbortSignal) => Promise<void>;
  readonly toggle: (uid: string, map_id: string, enable: boolean, process: Process) => Promise<unknown>;
  readonly change: (uid: string, id: string, fields: { name?: string; geometry?: string }, process: Process) => Promise<unknown>;
  readonly remove: (uid: string, id: string, process: Process) => Promise<unknown>;
}

/** What the log says with an ERROR: that a tick is given up, or the load of a customer's table. */
interface Heard {
  readonly abandoned: (tick: string) => void;
  readonly unloaded: (uid: string, tick: string) => void;
}

export function realtimeOver(world: World, { maps, realtime, ticks }: Cloud, loadJobsADayMax: number, heard: Heard): Realtime {
  const { now } = world;
  const portsOf = (process: Process) => {
    const log: Log = (severity, message, fields) => {
      if (severity === "ERROR" && typeof fields?.tick === "string") {
        if (message === "A tick is given up") heard.abandoned(fields.tick);
        if (message === "A load of a customer's table is given up") heard.unloaded(String(fields.uid), fields.tick);
      }
      if (world.isTraced)
        world.say(process.name, `log ${severity}`, `${message} ${fields?.tick ?? ""} ${fields?.fault ?? fields?.reason ?? ""}`);
    };
    const countriesOf = (uid: string): Promise<readonly string[]> => process.step(`countries of ${uid}`, () => COUNTRIES);
    return { ...maps.portsOf(process), ...realtime.portsOf(process), ticks: ticks.portOf(process), countriesOf, log };
  };
  const measure = (content: object): void =>
    world.start(
      "measure",
      (process) => {
        const { warehouse, ...ports } = portsOf(process);
        return measureMap(v.parse(MeasureMessage, content), {
          ...ports,
          warehouse: {
            query: warehouse.query,
            runJob: async (id, statement, labels, ...wait) => {
              await warehouse.start(id, statement, labels);
              return warehouse.wait(id, statement, ...wait);
            },
          },
          inTurn: (_uid, task) => task(),
          countries: countries(),
          tickMs: TICK_MS,
          now,
        });
      },
      MEASURE_LIFE_MS,
    );
  const measurementsOf = ({ step }: Process) => ({
    publish: (content: object) =>
      step("measurements.publish", () => {
        world.count("maps to measure at once");
        world.at(world.time + world.random.whole(0, DELIVERY_MS), () => measure(content));
        if (world.random.chance(AGAIN.chance)) world.at(world.time + world.random.whole(0, AGAIN.ms), () => measure(content));
      }),
  });
  const noSuchCall = (): Promise<never> => Promise.reject(new Error("no simulation makes this call of the warehouse"));
  const request = (process: Process) => {
    const { log, warehouse, ...uses } = portsOf(process);
    const context = {
      config: CONFIG,
      now,
      log,
      audit: () => undefined,
      bestEffort,
      turn: async () => undefined,
      newId: () => "",
      header: () => undefined,
    };
    const measurements = measurementsOf(process);
    return {
      uses: {
        ...uses,
        measurements,
        warehouse: {
          ...warehouse,
          queryUpTo: noSuchCall,
          queryOne: noSuchCall,
          queryRecent: noSuchCall,
          dryRun: noSuchCall,
          bill: noSuchCall,
          cancel: noSuchCall,
        },
      },
      context,
    };
  };
  return {
    refresh: (tick, tickMs, process, shutdownSignal) =>
      refreshHeadcounts(tick, {
        ...portsOf(process),
        countries: countries(),
        now,
        shutdownSignal,
        intervalMs: TICK_MS,
        tickMs,
        loadJobsADayMax,
      }),
    sweep: (process, shutdownSignal) => {
      const { log, changes, warehouse, ...ports } = portsOf(process);
      return deliverPendingMapChanges({
        ...mapChangeContext({ ...ports, changes }, countries(), now),
        changes,
        warehouse,
        log,
        shutdownSignal,
      });
    },
    toggle: (uid, map_id, enable, process) => {
      const { uses, context } = request(process);
      return toggleEndpoint.handler(
        { params: {}, query: {}, body: { map_id, enable }, ...askerOf(uid, ["realtime"], COUNTRIES) },
        uses,
        context,
      );
    },
    change: (uid, id, fields, process) => {
      const { uses, context } = request(process);
      return updateEndpoint.handler({ params: { id }, query: {}, body: fields, ...askerOf(uid, ["realtime"], COUNTRIES) }, uses, context);
    },
    remove: (uid, id, process) => {
      const { uses, context } = request(process);
      return removeEndpoint.handler({ params: { id }, query: {}, body: {}, ...askerOf(uid, ["realtime"], COUNTRIES) }, uses, context);
    },
  };
}

const bestEffort: BestEffort = async (work) => {
  try {
    return await work;
  } catch {
    return undefined;
  }
};
