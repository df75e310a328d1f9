import * as v from "valibot";
import { openDump } from "./dump.ts";
import { dateOfDay, groupKey, type Names, Numbers, readNames, readVersions, Texts, type Versions } from "./tables.ts";

/** A row of `activities_hourly` or `activities_daily`. */
export interface ActivityRow {
  readonly geoId: number;
  /** Milliseconds since 1970. */
  readonly timeBucket: number;
  readonly batchDate: string;
  readonly people: number;
  readonly staysCount: number;
  readonly staysDwellMinutes: number;
  readonly staysDevices: number;
}

/** Rows by country and geography type. */
type ActivityRows = ReadonlyMap<string, readonly ActivityRow[]>;

export interface ActivityTables {
  readonly hourly: ActivityRows;
  readonly daily: ActivityRows;
  readonly names: Names;
  readonly versions: Versions;
}

/** Reads every row of Activities. */
export async function readActivityTables(): Promise<ActivityTables> {
  const [hourly, daily, names, versions] = await Promise.all([
    readRows("activities_hourly"),
    readRows("activities_daily"),
    readNames(),
    readVersions(),
  ]);
  return { hourly, daily, names, versions };
}

const Columns = v.tuple([Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers]);
const SELECT = `geo_id::DOUBLE, epoch_ms(time_bucket)::DOUBLE, (batch_date - DATE '1970-01-01')::DOUBLE, people::DOUBLE,
  stays_count::DOUBLE, stays_dwell_minutes::DOUBLE, stays_devices::DOUBLE`;

async function readRows(table: string): Promise<ActivityRows> {
  const dump = await openDump(`SELECT * FROM mobility.${table} WHERE batch_date > '1970-01-01'`);
  try {
    const groups = new Map<string, ActivityRow[]>();
    const [countries, types] = v.parse(v.tuple([Texts, Texts]), await dump.columns("DISTINCT country_code, geo_type"));
    for (const [index, country] of countries.entries()) {
      const type = types[index] ?? "";
      const columns = v.parse(
        Columns,
        await dump.columns(SELECT, `WHERE country_code = '${country}' AND geo_type = '${type}' ORDER BY ALL`),
      );
      groups.set(groupKey(country, type), rowsOf(columns));
    }
    return groups;
  } finally {
    dump.close();
  }
}

function rowsOf([ids, times, days, people, counts, minutes, devices]: v.InferOutput<typeof Columns>): ActivityRow[] {
  return ids.map((geoId, index) => ({
    geoId,
    timeBucket: times[index] ?? Number.NaN,
    batchDate: dateOfDay(days[index] ?? Number.NaN),
    people: people[index] ?? Number.NaN,
    staysCount: counts[index] ?? Number.NaN,
    staysDwellMinutes: minutes[index] ?? Number.NaN,
    staysDevices: devices[index] ?? Number.NaN,
  }));
}
