import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { SubmitResponse } from "../../shared/aggregation/job-schemas.ts";
import { untilCompleted } from "./cost-of-jobs.ts";
import { BASE_DAYS, type Dimension, dayOf, type GrowthBench, getProbe, jobProbe, sweepProbe, tickProbe } from "./growth-probes.ts";
import { concurrently } from "./measure.ts";
import { insertMonitoredMaps } from "./monitored-maps.ts";
import { addCustomers, type Inhabitant } from "./population.ts";

const TOO_MANY = 429;
const REFILL_MS = 1000;
const PAGE = 20;
const WIDTH = 8;
/** The copies of a job are of the last day: the first, and how far apart they are. */
const COPIED_SINCE_MS = 86_400_000;
const BETWEEN_MS = 500;
/** Firestore takes up to 500 writes in a commit. */
const WRITES = 500;
const DAYS = [BASE_DAYS, 365, 730] as const;
const POLYGON = "POLYGON((24.7 59.4, 24.71 59.4, 24.71 59.41, 24.7 59.4))";
const Created = v.object({ id: v.string() });
const Found = v.object({ geographies: v.array(v.object({ geo_id: v.number() })) });

/** The days of facts: hourly activities and the ledger. What is asked for is one day. */
export async function growFacts(bench: GrowthBench): Promise<Dimension> {
  const { metered, call } = bench;
  const { key } = await oneCustomer(bench);
  const { body } = await call("data", "GET", `/geographies?geo_type=admin_level_2&limit=${PAGE}`, { key });
  const geo_ids = v.parse(Found, body).geographies.map(({ geo_id }) => geo_id);
  const query = new URLSearchParams({ ...dayOf(3), geo_ids: geo_ids.join(",") });
  const window = new URLSearchParams({ country_code: "EST", start_time: dayOf(3).start_time, end_time: dayOf(3).start_time });
  let there: number = BASE_DAYS;
  return {
    of: "days of facts",
    sizes: DAYS,
    grow: async (days) => {
      if (days === there) return;
      // Each added day is a copy of one of the sample.
      const shift = `DATE_SUB(batch_date, INTERVAL @from + added DAY)`;
      const dayOfSample = `batch_date = DATE_SUB(CURRENT_DATE(), INTERVAL 5 DAY)`;
      const params = { from: there, count: days - there };
      const copies = "UNNEST(GENERATE_ARRAY(1, @count)) AS added";
      await metered.operator.query({
        query: `INSERT INTO mobility.activities_hourly
  (country_code, geo_type, geo_id, time_bucket, people, stays_count, stays_dwell_minutes, stays_devices, batch_date)
SELECT country_code, geo_type, geo_id, TIMESTAMP_SUB(time_bucket, INTERVAL @from + added DAY), people, stays_count, stays_dwell_minutes,
  stays_devices, ${shift}
FROM mobility.activities_hourly, ${copies} WHERE ${dayOfSample} AND country_code = 'EST' AND geo_type = 'admin_level_2'`,
        params,
      });
      await metered.operator.query({
        query: `INSERT INTO mobility.batches (country_code, table_name, batch_date, version, row_count, bytes, loaded_at)
SELECT country_code, table_name, ${shift}, version, row_count, bytes, loaded_at
FROM mobility.batches, ${copies} WHERE ${dayOfSample} AND table_name IN ('activities_hourly', 'activities_daily', 'odm_daily', 'flows_hourly')`,
        params,
      });
      there = days;
    },
    probes: [
      getProbe(bench, { what: "a preview of one day", path: () => `/data-agg?${query}`, key: () => key }),
      getProbe(bench, { what: "the availability of one day", path: () => `/data-availability?${window}`, key: () => key }),
      jobProbe(bench, () => key),
    ],
  };
}

/** The maps of a customer, all monitored in the warehouse. */
export async function growMaps(bench: GrowthBench): Promise<Dimension> {
  const { metered, call } = bench;
  const { uid, key } = await oneCustomer(bench);
  const ids: string[] = [];
  const create = async (): Promise<void> => {
    const map = { name: "A map", type: "custom_polygon", geometry: POLYGON };
    for (;;) {
      const { status, body } = await call("users", "POST", "/admin/maps", { key, body: map });
      // A fast machine reaches the customer's rate limit.
      if (status === TOO_MANY) await delay(REFILL_MS);
      else {
        ids.push(v.parse(Created, body).id);
        return;
      }
    }
  };
  return {
    of: "maps",
    sizes: [10, 100, 1000],
    grow: async (maps) => {
      const from = ids.length;
      await concurrently(maps - from, WIDTH, create);
      await insertMonitoredMaps(metered.operator, { uids: [uid], from, to: maps });
    },
    probes: [
      tickProbe(bench),
      getProbe(bench, { what: "GET a map", api: "users", path: () => `/admin/maps/${ids[0]}`, key: () => key }),
      getProbe(bench, { what: "GET ten maps", api: "users", path: () => "/admin/maps?limit=10", key: () => key }),
      {
        ...getProbe(bench, { what: "GET all maps", api: "users", path: () => "/admin/maps", key: () => key }),
        times: 8,
        returnsMore: true,
      },
      {
        ...getProbe(bench, { what: "GET realtime data", path: () => "/admin/realtime/data", key: () => key }),
        times: 8,
        returnsMore: true,
      },
    ],
  };
}

/** Customers. */
export async function growCustomers(bench: GrowthBench): Promise<Dimension> {
  const { metered, db } = bench;
  const customers: Inhabitant[] = [];
  // The same one for each size, so that first uses of keys do not count.
  const key = (): string => customers[0]?.key ?? "";
  let job = "";
  return {
    of: "customers",
    sizes: [1, 100, 5000],
    grow: async (count) => {
      customers.push(...(await addCustomers(db, metered.ready.project, count - customers.length)));
      if (job === "") job = await completedJob(bench, key());
    },
    probes: [
      getProbe(bench, { what: "GET the status of a job", path: () => `/data-agg/status/${job}`, key }),
      getProbe(bench, { what: "GET realtime data", path: () => "/admin/realtime/data", key }),
      getProbe(bench, { what: "GET what a key may do", api: "users", path: () => "/users/me", key }),
      jobProbe(bench, key),
      sweepProbe(bench),
    ],
  };
}

/** The jobs of a customer: copies of one that is completed. */
export async function growJobs(bench: GrowthBench): Promise<Dimension> {
  const { db } = bench;
  const { key } = await oneCustomer(bench);
  const oldest = Date.now() - COPIED_SINCE_MS;
  let there = 0;
  let job = "";
  return {
    of: "jobs of a customer",
    sizes: [10, 1000, 100_000],
    grow: async (count) => {
      if (job === "") {
        job = await completedJob(bench, key);
        // A full page for each size.
        for (let other = 0; other < PAGE; other++) await completedJob(bench, key);
      }
      const data = (await db.collection("jobs").doc(job).get()).data() ?? {};
      // A preview is most of a job, and no list reads it.
      const copied = { ...data, result: { ...data.result, preview: "[]" } };
      const from = there;
      there = count;
      await concurrently(Math.ceil((count - from) / WRITES), WIDTH, async (chunk) => {
        const batch = db.batch();
        const first = from + chunk * WRITES;
        for (let index = first; index < Math.min(count, first + WRITES); index++)
          batch.create(db.collection("jobs").doc(crypto.randomUUID()), {
            ...copied,
            // As jobs come: each after those before it, and all before the completed ones.
            createdAt: new Date(oldest + index * BETWEEN_MS),
          });
        await batch.commit();
      });
    },
    probes: [
      getProbe(bench, { what: "GET the status of a job", path: () => `/data-agg/status/${job}`, key: () => key }),
      getProbe(bench, { what: "GET the results of a job", path: () => `/data-agg/results/${job}`, key: () => key }),
      { ...getProbe(bench, { what: "GET twenty jobs", path: () => `/data-agg/jobs?limit=${PAGE}`, key: () => key }), times: 10, width: 1 },
      jobProbe(bench, () => key),
      sweepProbe(bench),
    ],
  };
}

async function oneCustomer({ metered, db }: GrowthBench): Promise<Inhabitant> {
  const [customer] = await addCustomers(db, metered.ready.project, 1);
  if (!customer) throw new Error("No customer was created");
  return customer;
}

async function completedJob({ call, db }: GrowthBench, key: string): Promise<string> {
  const { body } = await call("data", "POST", "/data-agg", { key, body: dayOf(3) });
  const { job_id } = v.parse(SubmitResponse, body);
  await untilCompleted(db, job_id);
  return job_id;
}
