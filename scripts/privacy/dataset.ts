import type { AreaRules } from "./area-rules.ts";
import type { Places } from "./places.ts";

/** The published values of a row of Activities. */
export interface ActivityValues {
  readonly people: number;
  readonly staysCount: number;
  readonly staysMinutes: number;
  readonly staysDevices: number;
}

/** A row of Activities as it was delivered. */
export interface RawActivity extends ActivityValues {
  readonly devices: number;
}

/** A civil day of Activities: rows by id of the place, for each hour and for the day. */
export interface ActivityDay<Row> {
  readonly date: string;
  /** By the start of the hour, ISO 8601. */
  readonly hours: ReadonlyMap<string, ReadonlyMap<string, Row>>;
  readonly day: ReadonlyMap<string, Row>;
}

/** A pair of a day. The types are those of the warehouse, for example `grid_250m` or `osm_links`. */
export interface PublishedPair {
  readonly originType: string;
  readonly originId: number;
  readonly destinationType: string;
  readonly destinationId: number;
  readonly trips: number;
  readonly speed: number | null;
  readonly distance: number | null;
}

/** A pair as it was delivered. */
export interface RawPair extends Omit<PublishedPair, "distance"> {
  readonly devices: number;
}

/** A count of people by a key: a link, hour and direction of Flow, or a cell and tick. */
export type PeopleByKey = ReadonlyMap<string, number>;

/** What was delivered for a key. */
interface RawPeople {
  readonly people: number;
  readonly devices: number;
}
export type RawByKey = ReadonlyMap<string, RawPeople>;

/** A row of Flow in a strict country: of all links of a road class, where link and direction are 0. */
export interface ClassFlow {
  readonly linkId: number;
  readonly direction: number;
  readonly roadClass: string;
  /** The start of the hour, ISO 8601. */
  readonly hour: string;
  readonly people: number;
}

/** A row of a link and direction as it was delivered, with the link's road class. */
export interface RawClassFlow extends ClassFlow {
  readonly devices: number;
}

/** What the published dataset tells of the withheld rows of a batch. */
export interface WithheldShare {
  readonly table: string;
  readonly geoType: string;
  readonly publishedRows: number;
  /** A whole percent, or null where it is not told. */
  readonly percent: number | null;
}

/** A country's rules and geometry, which an attacker knows. */
export interface Country {
  readonly code: string;
  readonly activities: AreaRules;
  readonly places: Places;
  /** The rules of the matrix, whose finest level may differ; undefined where it is not offered. */
  readonly pairs: AreaRules | undefined;
  readonly placesOfPairs: Places;
  /** The places of the matrix's finest type that each road link passes, by `osm_links/ID`; empty where none is known. */
  readonly placesOfLinks: ReadonlyMap<string, readonly string[]>;
  /** Centroids by `TYPE/ID`, degrees. */
  readonly centroids: ReadonlyMap<string, readonly [lon: number, lat: number]>;
}
