import type { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { untilCompleted } from "./cost-of-jobs.ts";
import { fireTick } from "./fire-tick.ts";
import type { MeteredService } from "./metered-service.ts";
import { measurePresence } from "./monitored-maps.ts";
import type { openSender } from "./sender.ts";

/** The days of facts of the sample. */
export const BASE_DAYS = 30;

export interface GrowthBench {
  readonly metered: MeteredService;
  /** Past the meters. */
  readonly db: Firestore;
  readonly call: ReturnType<typeof openSender>;
}

/** Something whose cost is measured. */
export interface Probe {
  readonly what: string;
  readonly times: number;
  /** Returns the bytes of the answer. */
  readonly run: (index: number) => Promise<number>;
  /** How many run at once. */
  readonly width?: number;
  /** It has more to return at a larger size. */
  readonly returnsMore?: boolean;
  /** It has more rows to carry at a larger size: its CPU may grow with them, its documents and billed bytes may not. */
  readonly carriesMore?: boolean;
}

/** Something that grows, and what is measured at each of its sizes. */
export interface Dimension {
  readonly of: string;
  readonly sizes: readonly number[];
  readonly grow: (size: number) => Promise<void>;
  readonly probes: readonly Probe[];
}

const REQUESTS = 40;
const JOBS = 16;

/** A GET that answers 200. `key` may differ from request to request. */
export function getProbe(
  { call }: GrowthBench,
  { what = "", api = "data", path, key }: { what?: string; api?: "users" | "data"; path: () => string; key: (index: number) => string },
): Probe {
  return {
    what: what === "" ? `GET ${path()}` : what,
    times: REQUESTS,
    run: async (index) => {
      const { status, body, bytes } = await call(api, "GET", path(), { key: key(index) });
      if (status !== 200) throw new Error(`${path()} answered ${status}: ${JSON.stringify(body)}`);
      return bytes;
    },
  };
}

/** A preview job, from its submission until it is completed. */
export function jobProbe({ call, db }: GrowthBench, key: (index: number) => string): Probe {
  return {
    what: "a preview job",
    times: JOBS,
    run: async (index) => {
      const { body, bytes } = await call("data", "POST", "/data-agg", { key: key(index), body: dayOf(3) });
      await untilCompleted(db, v.parse(SubmitResponse, body).job_id);
      return bytes;
    },
  };
}

/** A sweep of jobs that has nothing to do. */
export function sweepProbe({ metered }: GrowthBench): Probe {
  return {
    what: "an idle sweep",
    times: 8,
    width: 1,
    run: async () => {
      const answer = await fetch(metered.ready.functions["aggregation-sweep"] ?? "", { method: "POST" });
      if (!answer.ok) throw new Error(`The sweep answered ${answer.status}`);
      return (await answer.arrayBuffer()).byteLength;
    },
  };
}

/** A tick. */
export function tickProbe({ metered }: GrowthBench): Probe {
  return {
    what: "a tick",
    times: 1,
    width: 1,
    carriesMore: true,
    run: async () => {
      await measurePresence(metered.operator, new Date());
      await fireTick(metered.ready);
      return 0;
    },
  };
}

/** Returns the request for a day of hourly activities, so many days ago. */
export function dayOf(daysAgo: number) {
  const day = (ago: number): string => new Date(Math.floor(Date.now() / 86_400_000 - ago) * 86_400_000).toISOString();
  return {
    agg_type: "activities",
    country_code: "EST",
    measure: "sum_unique_people",
    activity_type: "hourly",
    geo_type: "admin_level_2",
    start_time: day(daysAgo),
    end_time: day(daysAgo - 1),
  };
}
