import * as v from "valibot";
import { openDump } from "./dump.ts";
import type { Position } from "./road-distance.ts";
import { groupKey, Numbers, query, readVersions, Texts, type Versions } from "./tables.ts";

/** A row of `road_links`. */
export interface RoadLink {
  readonly linkId: number;
  readonly name: string;
  readonly roadClass: string;
  readonly line: readonly Position[];
}

/** A row of `flows_hourly`. */
interface FlowTableRow {
  /** Milliseconds since 1970. */
  readonly timeBucket: number;
  readonly direction: number;
  readonly people: number;
}

export interface FlowTables {
  readonly links: ReadonlyMap<string, readonly RoadLink[]>;
  /** By country and link. */
  readonly rows: ReadonlyMap<string, readonly FlowTableRow[]>;
  readonly versions: Versions;
}

/** Reads every row of Flow. */
export async function readFlowTables(): Promise<FlowTables> {
  const [links, rows, versions] = await Promise.all([readLinks(), readRows(), readVersions()]);
  return { links, rows, versions };
}

const Links = v.array(
  v.object({ country_code: v.string(), link_id: v.number(), name: v.string(), class: v.string(), geometry: v.string() }),
);

async function readLinks(): Promise<FlowTables["links"]> {
  const sql = "SELECT country_code, link_id, name, class, ST_ASTEXT(geometry) AS geometry FROM mobility.road_links ORDER BY link_id";
  return new Map(
    Object.entries(Object.groupBy(v.parse(Links, await query(sql)), ({ country_code: country }) => country)).map(
      ([country, links = []]) => [
        country,
        links.map((link) => ({ linkId: link.link_id, name: link.name, roadClass: link.class, line: positionsOf(link.geometry) })),
      ],
    ),
  );
}

/** Parses the positions of a LINESTRING. */
function positionsOf(wkt: string): Position[] {
  const [, inside] = /^LINESTRING ?\((.*)\)$/.exec(wkt) ?? [];
  if (inside === undefined) throw new SyntaxError(`${wkt} is not a LINESTRING`);
  return inside.split(",").map((pair) => {
    const [lon, lat] = pair.trim().split(" ").map(Number);
    return [lon ?? Number.NaN, lat ?? Number.NaN];
  });
}

const Columns = v.tuple([Texts, Numbers, Numbers, Numbers, Numbers]);
const SELECT = "country_code, link_id::DOUBLE, epoch_ms(time_bucket)::DOUBLE, direction::DOUBLE, people::DOUBLE";

async function readRows(): Promise<FlowTables["rows"]> {
  const dump = await openDump("SELECT * FROM mobility.flows_hourly WHERE batch_date > '1970-01-01'");
  try {
    const [countries, links, times, directions, people] = v.parse(Columns, await dump.columns(SELECT, "ORDER BY ALL"));
    const groups = new Map<string, FlowTableRow[]>();
    for (const [index, country] of countries.entries()) {
      const key = groupKey(country, String(links[index]));
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push({
        timeBucket: times[index] ?? Number.NaN,
        direction: directions[index] ?? Number.NaN,
        people: people[index] ?? Number.NaN,
      });
    }
    return groups;
  } finally {
    dump.close();
  }
}
