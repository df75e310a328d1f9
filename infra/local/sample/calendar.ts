import { constants } from "./literals.ts";
import { SAMPLE_COUNTRIES } from "./rules.ts";

/**
 * The people at work, at home, driving in and driving out at each local hour, in thousandths of the busiest hour. Weekdays have two peaks,
 * weekends have one.
 */
const WEEKDAY = {
  work: [90, 70, 60, 60, 80, 140, 330, 680, 960, 910, 840, 850, 890, 840, 820, 870, 1000, 930, 700, 500, 380, 290, 200, 130],
  home: [260, 210, 190, 190, 220, 320, 520, 760, 700, 530, 480, 490, 530, 500, 510, 600, 780, 880, 850, 780, 680, 560, 430, 330],
  inward: [60, 40, 30, 40, 90, 300, 700, 1000, 930, 640, 500, 470, 480, 480, 500, 540, 560, 540, 460, 380, 300, 240, 180, 110],
  outward: [90, 60, 40, 30, 60, 170, 340, 480, 500, 460, 450, 480, 520, 560, 680, 880, 1000, 940, 680, 480, 380, 320, 260, 160],
};
const WEEKEND = {
  work: [170, 140, 110, 90, 70, 70, 90, 130, 210, 330, 460, 570, 640, 660, 640, 600, 560, 520, 480, 430, 370, 310, 260, 210],
  home: [300, 260, 220, 200, 190, 200, 240, 320, 440, 570, 670, 710, 730, 710, 690, 690, 710, 730, 700, 640, 560, 480, 410, 350],
  inward: [110, 90, 70, 50, 50, 70, 110, 170, 260, 380, 480, 560, 590, 590, 570, 560, 540, 500, 430, 350, 280, 220, 170, 130],
  outward: [150, 120, 90, 60, 50, 60, 90, 140, 220, 330, 430, 510, 560, 580, 600, 620, 610, 560, 480, 390, 320, 270, 220, 170],
};

/** `(VALUES …)` of the curves: weekend, hour (0 to 23), work, home, inward, outward. */
export const RHYTHM = constants(
  "rhythm",
  ["weekend", "hour", "work", "home", "inward", "outward"],
  [WEEKDAY, WEEKEND].flatMap((day, index) =>
    day.work.map((work, hour) => [index === 1, hour, work, day.home[hour] ?? 0, day.inward[hour] ?? 0, day.outward[hour] ?? 0]),
  ),
);

/** `(VALUES …)` of the country rules: country, time_zone, k, step, people_of_thousand. */
export const COUNTRIES = constants(
  "rules",
  ["country", "time_zone", "k", "step", "people_of_thousand"],
  SAMPLE_COUNTRIES.map(({ code, timeZone, k, step, peopleOfThousand }) => [code, timeZone, k, step, peopleOfThousand]),
);

/**
 * Returns a query for the civil days of each country that overlap the last `days` days before `now`: country, batch_date, starts_at,
 * ends_at, loaded_at, finished, weekend, day (days since 1970). A batch is loaded three hours after its day ends, or in the last full hour
 * before `now` if that is sooner.
 */
export function daysQuery(now: Date, days: number): string {
  const lastHour = `to_timestamp(${Math.floor(now.getTime() / 3_600_000) * 3600})`;
  const dates = `SELECT country, time_zone, today - unnest(range(${days}, -1, -1))::INTEGER AS batch_date
  FROM (SELECT country, time_zone, timezone(time_zone, ${lastHour})::DATE AS today FROM ${COUNTRIES})`;
  return `SELECT country, batch_date, starts_at, ends_at, least(ends_at + INTERVAL 3 HOUR, ${lastHour}) AS loaded_at, ends_at <= ${lastHour} AS finished,
    isodow(batch_date) > 5 AS weekend, (batch_date - DATE '1970-01-01')::INTEGER AS day
  FROM (SELECT *, timezone(time_zone, batch_date::TIMESTAMP) AS starts_at, timezone(time_zone, (batch_date + 1)::TIMESTAMP) AS ends_at FROM (${dates}))
  WHERE starts_at < ${lastHour}`;
}

/**
 * Returns a query for the whole UTC hours before `now` in the days of the table `sample_days`: country, day, batch_date, hour (since 1970),
 * time_bucket and the rhythm.
 */
export function hoursQuery(now: Date): string {
  const hours = `SELECT *, unnest(range((epoch(starts_at) // 3600)::BIGINT, least((epoch(ends_at) // 3600)::BIGINT, ${Math.floor(now.getTime() / 3_600_000)}))) AS utc_hour
  FROM sample_days JOIN ${COUNTRIES} USING (country)`;
  return `SELECT country, day, batch_date, utc_hour::INTEGER AS hour, time_bucket, rhythm.work, rhythm.home, rhythm.inward, rhythm.outward
  FROM (SELECT *, to_timestamp(utc_hour * 3600) AS time_bucket FROM (${hours})) AS hours
  JOIN ${RHYTHM} ON rhythm.weekend = hours.weekend AND rhythm.hour = extract(hour FROM timezone(time_zone, time_bucket))
  ORDER BY country, utc_hour`;
}
