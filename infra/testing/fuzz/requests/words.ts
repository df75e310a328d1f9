/** Knowledge of the sample data, so that requests find something. */
export interface Knowledge {
  /** The newest day of the sample data is that of this instant. */
  readonly today: Date;
  /** Ids of Estonia's geographies, by type. */
  readonly geoIds: Readonly<Record<string, readonly number[]>>;
}

const DAY_MS = 86_400_000;
const POLYGONS = [
  "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.445, 24.73 59.43))",
  "polygon (( 26.70 58.37 , 26.74 58.37 , 26.72 58.39 , 26.70 58.37 ))",
  "POLYGON((24.6 59.4, 24.9 59.4, 24.9 59.5, 24.6 59.5, 24.6 59.4), (24.7 59.42, 24.8 59.42, 24.8 59.46, 24.7 59.46, 24.7 59.42))",
  "POLYGON((10.70 59.90, 10.80 59.90, 10.80 59.95, 10.70 59.95, 10.70 59.90))",
];

/** Returns the date so many days before today. */
export function dayBefore({ today }: Knowledge, days: number): string {
  return new Date(today.getTime() - days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns plausible values of a member with this name, in the forms of bodies and of queries. */
export function wordsFor(name: string, knowledge: Knowledge): readonly unknown[] {
  const days = (...before: number[]): string[] => before.map((count) => dayBefore(knowledge, count));
  const someIds = Object.values(knowledge.geoIds).map((ids) => ids.slice(0, 3));
  const times = (dates: string[]): string[] => dates.flatMap((date) => [date, `${date}T06:30:00Z`, `${date}T23:00:00.5+02:00`]);
  const words: Readonly<Record<string, readonly unknown[]>> = {
    start_time: times(days(9, 5)),
    datetime_from: times(days(9, 5)),
    end_time: times(days(4, 2)),
    datetime_to: times(days(4, 2)),
    country_code: ["EST", "est", "EE", "NOR", "LV"],
    country: ["EST", "LAT", "no"],
    geometry: POLYGONS,
    lat: [59.437, 58.38, "59.437", "+58.38"],
    lon: [24.753, 26.72, "24.753", "26.72"],
    bbox: ["24,59,25,60", "-180,-90,180,90", "24.7,59.4,24.8,59.5"],
    q: ["a", "KESK", "õ"],
    limit: ["1", "2", "20", "0100"],
    cursor: ["~cursor.0~", "~cursor.1~", "~cursor.2~"],
    measure: ["sum_unique_people", "trips", "avg_unique_people", "people"],
    name: [
      "Vanalinn",
      "  x  ",
      "‮abc",
      "e\u0301",
      "👩‍👩‍👧",
      "'; DROP TABLE maps; --",
      "../../etc",
      "%2e%2e%00",
      "__proto__",
      "a".repeat(200),
    ],
    description: ["", "line\nline\ttab", "$(x) {{y}} <b>", "ß".repeat(2000)],
    keyLabel: ["fuzz-1", "fuzz-2", "fuzz-3"],
    "Idempotency-Key": ["fuzz 1", "fuzz 2", "fuzz 3", "~", " "],
    "If-None-Match": ["*", 'W/"1"', '"1", W/"2"'],
    "If-Match": ['"1"', '"2"', "*", 'W/"1"'],
    id: ["~map.0~", "~map.1~", "~map.2~", "~map.3~"],
    map_id: ["~map.0~", "~map.1~", "~map.2~", "~map.3~"],
    job_id: ["~job.0~", "~job.1~", "~job.2~", "~job.3~"],
    uid: ["~uid~"],
  };
  if (name === "ids" || name.endsWith("geo_ids"))
    return [...someIds, ...someIds.map((ids) => ids.join(",")), ...someIds.map((ids) => ids.map(String))];
  return words[name] ?? [];
}
