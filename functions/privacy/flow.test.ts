import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { COUNTRY, DATE, K, WINDOW } from "../../infra/testing/privacy/nested-day.ts";
import { runAsLoader } from "../../infra/testing/raw-counts.ts";
import { previewPath, syncPreview } from "../../infra/testing/reference/answers.ts";
import { newTokenHolder } from "../../infra/testing/reference/customers.ts";
import { exported } from "../../infra/testing/reference/exports.ts";
import { importRows } from "../../infra/testing/reference/import-rows.ts";
import { loadPlaces, STREET } from "../../infra/testing/reference/lithuania.ts";
import { query } from "../../infra/testing/reference/tables.ts";
import { call } from "../../infra/testing/service.ts";
import { countries } from "../../shared/countries/countries.ts";
import { stepOf } from "../../shared/countries/step.ts";

const customer = await newTokenHolder();
const HOUR = 3_600_000;
const STEP = stepOf(countries()[COUNTRY] ?? { k: Number.NaN, peopleOfDevice: undefined, isProtected: false, isStrict: false });

const Raw = v.array(v.object({ link_id: v.number(), bucket: v.string(), direction: v.number(), devices: v.number(), people: v.number() }));
const raw = v.parse(
  Raw,
  await runAsLoader(`SELECT link_id, FORMAT_TIMESTAMP('%Y-%m-%dT%H:%M:%E3SZ', time_bucket) AS bucket, direction, devices, people
    FROM intake.flows_hourly WHERE loaded_on > '1970-01-01' AND batch_date = '${DATE}' AND country_code = '${COUNTRY}'`),
);
const byLink = Map.groupBy(raw, ({ link_id: id }) => id);

const Links = v.array(v.object({ link_id: v.number(), line: v.string() }));
const links = v
  .parse(Links, await query(`SELECT link_id, ST_ASTEXT(geometry) AS line FROM mobility.road_links WHERE country_code = '${COUNTRY}'`))
  .map(({ link_id: id, line }) => ({ id, ...pointOf(line) }));

/** Links with the most withheld rows, and some without any people: an attacker would request these. */
const watched = links
  .map((link) => ({ ...link, few: (byLink.get(link.id) ?? []).filter(({ devices }) => devices < K).length }))
  .sort((one, other) => other.few - one.few)
  .slice(0, 12);
const uncounted = links.filter(({ id }) => !byLink.has(id)).slice(0, 6);

type Place = Pick<(typeof links)[number], "lat" | "lon">;

function ask({ lat, lon }: Place, window: object = WINDOW) {
  return syncPreview(customer, { agg_type: "flow", country_code: COUNTRY, lat, lon, ...window });
}

/** The link found near a coordinate in a window long after the data, and its distance. */
async function foundAt(place: Place) {
  const { results } = await ask(place, { start_time: "2096-01-01", end_time: "2096-01-02" });
  return v.parse(v.tuple([v.looseObject({ link_id: v.number(), distance_m: v.number(), people: v.null() })]), results)[0];
}

describe("flow", () => {
  it("is published for hours and directions with k devices, separately, to the nearest step: there is no sum of both to subtract one from", async () => {
    const answers = await Promise.all(watched.map(async (place) => [await foundAt(place), await ask(place)] as const));
    const counted = answers.filter(([{ link_id: id }]) => byLink.has(id));
    for (const [{ link_id: id }, { results, meta }] of counted) {
      const rows = byLink.get(id) ?? [];
      const published = rows
        .filter(({ devices }) => devices >= K)
        .map(({ bucket, direction, people }) => `${bucket} ${direction} ${Math.max(STEP, Math.round(people / STEP) * STEP)}`);
      const told = results.map((row) => `${row.time_bucket} ${row.direction} ${row.people}`);
      expect(told).toEqual(published.length > 0 ? published.sort() : ["null null null"]);
      expect(meta.suppressed_rows).toBeNull();
    }
    expect(watched.reduce((sum, { few }) => sum + few, 0)).toBeGreaterThan(50);
  });

  it("has the same response for an hour with a few devices as for one in which nobody passed", async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.parse(WINDOW.start_time) + hour * HOUR).toISOString());
    const found = await Promise.all(watched.map(async (place) => ({ place, id: (await foundAt(place)).link_id })));
    const pairs = found.flatMap(({ place, id }) => {
      const at = Map.groupBy(byLink.get(id) ?? [], ({ bucket }) => bucket);
      const few = hours.find((hour) => at.get(hour)?.every(({ devices }) => devices < K));
      const nobody = hours.find((hour) => !at.has(hour));
      return few !== undefined && nobody !== undefined ? [{ place, few, nobody }] : [];
    });
    expect(pairs.length).toBeGreaterThan(0);
    for (const { place, few, nobody } of pairs) {
      const [one, other] = await Promise.all(
        [few, nobody].map(async (start_time) => {
          const { headers: _, start_time: __, end_time: ___, ...body } = await ask(place, { start_time, end_time: endOf(start_time) });
          return body;
        }),
      );
      expect(one).toEqual(other);
      expect(one?.results).toMatchObject([{ time_bucket: null, direction: null, people: null }]);
    }
  });

  it("finds a link and its distance by the roads alone, whether it has many, few or no people", async () => {
    const places = [...watched, ...uncounted];
    const found = await Promise.all(places.map((place) => foundAt(place)));
    const answers = await Promise.all(places.map((place) => ask(place)));
    const rows = answers.flatMap(({ results }, index) => results.map((row) => [row, found[index]] as const));
    expect(rows.filter(([row, link]) => row.link_id !== link?.link_id || row.distance_m !== link?.distance_m)).toEqual([]);
    expect(new Set(found.map(({ link_id: id }) => byLink.has(id)))).toEqual(new Set([true, false]));
  });

  it("is not found with the same text, whatever the window", async () => {
    const windows = [WINDOW, { start_time: "2096-01-01", end_time: "2096-01-02" }];
    const answers = await Promise.all(
      windows.map((window) =>
        call("data", "GET", previewPath({ agg_type: "flow", country_code: COUNTRY, lat: 55.9, lon: 22.1, ...window }), {
          key: customer.key,
        }),
      ),
    );
    const [first, second] = answers.map(({ status, body }) => [status, Object(body).detail]);
    expect(first?.[0]).toBe(404);
    expect(second).toEqual(first);
  });
});

describe("an arm of a junction that is withheld", () => {
  const LTU = countries().LTU;
  if (!LTU) throw new Error("there are no rules of LTU");
  const { k, peopleOfDevice = Number.NaN } = LTU;
  const DEVICES_MAX = 30;
  /** Every junction of a street where `inward` devices go in, `onward` go on, and the others turn off: each in an hour of its own. */
  const junctions = Array.from({ length: 3 * k }, (_, turning) => turning)
    .flatMap((turning) => Array.from({ length: DEVICES_MAX - k }, (_, index) => ({ turning, onward: k + index })))
    .map((junction, index) => ({
      ...junction,
      inward: junction.onward + junction.turning,
      bucket: new Date(Date.parse("2019-06-01T00:00:00Z") + index * HOUR).toISOString(),
    }));

  it("is never known to have some devices, but fewer than k, by what goes in and on: every small junction", async () => {
    await loadPlaces();
    const rows = junctions.flatMap(({ inward, onward, bucket }) => [
      `LTU,${STREET},${bucket},1,${inward * peopleOfDevice},${inward}`,
      `LTU,${STREET},${bucket},-1,${onward * peopleOfDevice},${onward}`,
    ]);
    await importRows("flows_hourly", ["country_code,link_id,time_bucket,direction,people,devices", ...rows]);
    const lithuanian = await newTokenHolder({ countries: ["LTU"], defaultCountry: "LTU" });
    const window = { start_time: "2019-06-01T00:00:00Z", end_time: endOf(junctions.at(-1)?.bucket ?? "") };
    const request = { agg_type: "flow", country_code: "LTU", lat: 54.688, lon: 25.28, ...window, format: "parquet" };
    const told = v.parse(v.array(Told), (await exported(lithuanian, request)).rows);
    const byHour = Map.groupBy(told, ({ time_bucket: bucket }) => bucket);
    expect(byHour.size).toBe(junctions.length);
    const worlds = Map.groupBy(junctions, ({ bucket }) => {
      const hour = byHour.get(bucket) ?? [];
      return [1, -1].map((wanted) => hour.find(({ direction }) => direction === wanted)?.people).join();
    });
    const turnings = [...worlds.values()].map((same) => same.map(({ turning }) => turning));
    expect(turnings.filter((each) => each.every((turning) => turning > 0 && turning < k))).toEqual([]);
    expect(worlds.size).toBeGreaterThan(10);
  });
});

const Told = v.looseObject({ time_bucket: v.string(), direction: v.number(), people: v.number() });

function endOf(hour: string): string {
  return new Date(Date.parse(hour) + HOUR).toISOString();
}

/** A quarter along a line, off the crossings; longitude first. */
function pointOf(line: string): { readonly lat: number; readonly lon: number } {
  const points = [...line.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, lon, lat]) => ({ lat: Number(lat), lon: Number(lon) }));
  return points[Math.floor(points.length / 4)] ?? { lat: Number.NaN, lon: Number.NaN };
}
