import * as v from "valibot";
import { ServiceError } from "../../../../shared/http/errors.ts";
import { isOver } from "../../../../shared/jobs/job-state.ts";
import { AggregationBody } from "../../../../shared/products/catalogue.ts";
import type { Process } from "../process.ts";
import type { JobPath } from "./job-path.ts";
import { short } from "./memory-jobs.ts";
import type { Scene } from "./scene.ts";

const REQUEST_LIFE_MS = 60_000;
const RETRIES_MAX = 3;
const ODM = { agg_type: "odm", measure: "trips", origin_geo_type: "grid_1000m", destination_geo_type: "grid_1000m", country_code: "EST" };
const DAY = { activity_type: "daily", start_time: "2026-11-18T00:00:00+02:00", end_time: "2026-11-18T23:00:00+02:00" };
const EXPORT = v.parse(AggregationBody, { ...ODM, ...DAY, full: true });
const PREVIEW = v.parse(AggregationBody, { ...ODM, ...DAY, full: false });

interface Customers {
  /** Returns whether every submission has been answered or given up. */
  readonly areDone: () => boolean;
  /** Checks the end state: one job for each idempotency key. */
  readonly checkKeys: () => void;
}

/** Schedules the customers' actions: they submit, retry when there is no response, and cancel. */
export function letCustomersAct(scene: Scene, path: JobPath): Customers {
  const { world, plan, jobs } = scene;
  const { random } = world;
  const ids = new Map<string, string[]>();
  let made = 0;
  let open = 0;

  const submit = (uid: string, key: string, isExport: boolean, tries: number): void => {
    const newId = (): string => {
      const id = `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`;
      ids.set(key, [...(ids.get(key) ?? []), id]);
      return id;
    };
    const send = async (process: Process): Promise<void> => {
      const answer = path.submit({ uid, body: isExport ? EXPORT : PREVIEW, idempotencyKey: key, newId }, process);
      world.say(process.name, `accepted as ${short((await refusable(answer)) ?? "nothing")}`);
    };
    world.start(`submit ${key}`, send, REQUEST_LIFE_MS, (ending) => {
      if (ending === "done" || tries === RETRIES_MAX) open--;
      else world.at(world.time + random.whole(0, 30_000), () => submit(uid, key, isExport, tries + 1));
    });
  };
  const refusable = async <T>(answer: Promise<T>): Promise<T | undefined> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      world.count(`answers: ${error.code}`);
      return undefined;
    }
  };
  const cancel = (): void => {
    const known = jobs.all().filter((job) => !isOver(job) || random.chance(0.2));
    if (known.length === 0) return;
    const { uid, id } = random.pick(known);
    world.start(
      `cancel ${short(id)}`,
      async (process) => {
        await refusable(path.cancel(uid, id, process));
      },
      REQUEST_LIFE_MS,
    );
  };

  for (let number = 1; number <= plan.submissions; number++) {
    const uid = random.pick(Object.keys(plan.limits));
    const isExport = random.chance(plan.exports);
    const first = world.time + random.whole(0, plan.activeMs);
    // An impatient client sends the same request again before the response arrives.
    for (const at of random.chance(0.1) ? [first, first + random.whole(0, 1000)] : [first]) {
      open++;
      world.at(at, () => submit(uid, `key-${number}`, isExport, 0));
    }
  }
  for (let number = 0; number < plan.cancels; number++) world.at(world.time + random.whole(0, plan.activeMs), cancel);
  return {
    areDone: () => open === 0,
    checkKeys: () => {
      for (const [key, made] of ids)
        if (made.filter((id) => jobs.get(id)).length > 1) world.violate("one job for each key", `${key}: ${made.map(short).join()}`);
    },
  };
}
