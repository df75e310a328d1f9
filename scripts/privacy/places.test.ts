import { expect, it } from "vitest";
import { placesOf } from "./places.ts";

const KM = 40000003000000;
/** A 250 m cell of the km, by column and row. */
const cell = (column: number, row: number): number => KM + column * 2500000000 + row * 250;
const areas = [10, 11, 12].map((geo_id) => ({ geo_type: "admin_level_4", geo_id, parent_id: 1 }));
const town = { geo_type: "admin_level_2", geo_id: 1, parent_id: null };

it("a km lies where its cells do, and has them as parts; an area without cells is no place to hide in", () => {
  const cells = [cell(0, 0), cell(3, 3)].map((geo_id) => ({ geo_type: "grid_250m", geo_id, parent_id: 10 }));
  const places = placesOf([...cells, { geo_type: "grid_1000m", geo_id: KM, parent_id: 11 }, ...areas, town], 0);
  expect(places.get(`1/${KM}`)).toMatchObject({ parts: 2, straddles: false, around: [undefined, `1/${KM}`, "2/10", "3/1"] });
  expect([places.get("2/10")?.parts, places.get("2/11")?.parts, places.get("3/1")?.parts]).toEqual([1, 0, 1]);
});

it("a km whose cells lie in two areas is a part of none, and its cells are parts of theirs", () => {
  const cells = [cell(0, 0), cell(3, 3)].map((geo_id, index) => ({ geo_type: "grid_250m", geo_id, parent_id: 10 + index }));
  const places = placesOf([...cells, { geo_type: "grid_1000m", geo_id: KM, parent_id: 10 }, ...areas, town], 0);
  expect(places.get(`1/${KM}`)).toMatchObject({ straddles: true, around: [undefined, `1/${KM}`, undefined, undefined] });
  expect([places.get("2/10")?.parts, places.get("2/11")?.parts, places.get("3/1")?.parts]).toEqual([1, 1, 2]);
});

it("geographies finer than the finest offered type are left out", () => {
  const rows = [
    { geo_type: "grid_250m", geo_id: cell(0, 0), parent_id: 10 },
    { geo_type: "grid_1000m", geo_id: KM, parent_id: 10 },
  ];
  expect([...placesOf([...rows, ...areas, town], 1).keys()]).toEqual([`1/${KM}`, "2/10", "2/11", "2/12", "3/1"]);
});
