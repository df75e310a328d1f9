import { ServiceError } from "../../../../shared/http/errors.ts";
import type { CustomerMap } from "../../../../shared/maps/maps.ts";
import type { Process } from "../process.ts";
import type { Scene } from "./check-ticks.ts";
import type { Plan } from "./plan.ts";
import type { Realtime } from "./realtime.ts";

const REQUEST_LIFE_MS = 60_000;
/** Polygons at the border, so that their cells are two rows in the warehouse. Customers go back and forth between them. */
const GEOMETRIES = [25.3, 25.31, 25.32].map(
  (west) => `POLYGON((${west} 57.86, ${west + 0.01} 57.86, ${west + 0.01} 57.87, ${west} 57.87, ${west} 57.86))`,
);

/** Returns the maps of a schedule, none monitored yet. */
export function mapsOf(uids: readonly string[], count: number, createdAt: Date): CustomerMap[] {
  return uids.flatMap((uid) =>
    Array.from({ length: count }, (_, index) => ({
      ...{
        id: `${uid}${index + 1}`.padEnd(20, "x"),
        uid,
        owner: `main@${uid}`,
        name: "A map",
        description: "",
        ...(index % 2 === 0
          ? { type: "custom_polygon" as const, geometry: GEOMETRIES[0] ?? "", ids: null, countryCode: null }
          : { type: "admin_level_2" as const, geometry: null, ids: [784], countryCode: "EST" }),
      },
      ...{ isMonitored: false, version: 1, createdAt },
    })),
  );
}

/** Schedules the customers' actions: they enable their maps first, then disable, enable, rename and delete them. */
export function letCustomersAct({ world, maps }: Scene, plan: Plan, realtime: Realtime): void {
  const { random } = world;
  let made = 0;
  const send = (name: string, request: (process: Process) => Promise<unknown>): void =>
    world.start(
      `${name} ${++made}`,
      async (process) => {
        try {
          await request(process);
          world.say(process.name, "is answered");
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          world.count(`answers: ${error.code}`);
        }
      },
      REQUEST_LIFE_MS,
    );
  const toggle = ({ uid, id }: CustomerMap, enable: boolean): void =>
    send(enable ? "on" : "off", (process) => realtime.toggle(uid, id, enable, process));
  const move = (): void => {
    const map = random.pick(maps.all().length > 0 ? maps.all() : [undefined]);
    if (!map) return;
    const kind = random.pick(["toggle", "toggle", "toggle", "twice", "rename", "reshape", "delete"] as const);
    const change = (name: string, fields: Parameters<Realtime["change"]>[2]): void =>
      send(name, (process) => realtime.change(map.uid, map.id, fields, process));
    if (kind === "rename") change("rename", { name: `Name ${made}` });
    else if (kind === "reshape" && map.geometry !== null) change("reshape", { geometry: random.pick(GEOMETRIES) });
    else if (kind === "reshape") change("rename", { name: `Name ${made}` });
    else if (kind === "delete") send("delete", (process) => realtime.remove(map.uid, map.id, process));
    else toggle(map, !map.isMonitored);
    if (kind === "twice") world.at(world.time + random.whole(0, 2000), () => toggle(map, map.isMonitored));
  };
  for (const map of maps.all()) world.at(world.time + random.whole(0, 60_000), () => toggle(map, true));
  for (let number = 0; number < plan.moves; number++) world.at(world.time + random.whole(0, plan.activeMs), move);
}
