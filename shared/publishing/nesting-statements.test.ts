import { afterAll, beforeAll, expect, it } from "vitest";
import { type AreaPublisher, EST, startAreas } from "../../infra/testing/privacy/published-areas.ts";
import { nestingStatements } from "./nesting-statements.ts";

const NOR = { ...EST, code: "NOR", finestType: "grid_1000m" } as const;
const KM = (km: number): number => 51520004124000 + km * 1000;
const EAST = 2_500_000_000;

let areas: AreaPublisher;

beforeAll(async () => {
  areas = await startAreas(
    {
      // Km 1 has two cells in area 41; its centre is in 42. Km 2 has cells in both. Km 3 has none. Cell c is in a km that is not a geography.
      ...{ a1: ["grid_250m", KM(1), 41], b1: ["grid_250m", KM(1) + EAST + 250, 41] },
      ...{ a2: ["grid_250m", KM(2), 41], b2: ["grid_250m", KM(2) + 3 * EAST + 750, 42], c: ["grid_250m", KM(7), 42] },
      ...{ k1: ["grid_1000m", KM(1), 42], k2: ["grid_1000m", KM(2), 41], k3: ["grid_1000m", KM(3), 42] },
      ...{ area41: ["admin_level_4", 41, 2], area42: ["admin_level_4", 42, 2], region: ["admin_level_2", 2, null] },
      link: ["osm_links", 9, null],
    },
    [EST, NOR],
  );
});

afterAll(() => areas.close());

async function nesting(country: string): Promise<unknown[][]> {
  const rows = await areas.run(`SELECT g.geo_name, n.level, n.at_1, n.at_2, n.at_3, n.parts
    FROM intake.nesting AS n
    JOIN mobility.geographies AS g ON g.country_code = n.country_code AND g.geo_type = n.geo_type AND g.geo_id = n.geo_id
    WHERE n.country_code = '${country}' ORDER BY n.level, g.geo_name`);
  return rows.map((row) => Object.values(Object(row)));
}

it("where 250 m cells are offered, a km is in the area of its cells, or in none if they are in several", async () => {
  expect(await nesting("EST")).toEqual([
    ...[
      ["a1", 0, KM(1), 41, 2, 0],
      ["a2", 0, KM(2), 41, 2, 0],
      ["b1", 0, KM(1), 41, 2, 0],
      ["b2", 0, KM(2), 42, 2, 0],
    ],
    ...[
      ["c", 0, KM(7), 42, 2, 0],
      ["k1", 1, KM(1), 41, 2, 2],
      ["k2", 1, KM(2), null, null, 0],
      ["k3", 1, KM(3), 42, 2, 0],
    ],
    // Area 41: km 1 and a cell of km 2. Area 42: a cell of km 2, and the cell without a km; nobody can be in km 3.
    ...[
      ["area41", 2, null, 41, 2, 2],
      ["area42", 2, null, 42, 2, 2],
      ["region", 3, null, null, 2, 2],
    ],
  ]);
});

it("where km are the finest type, they are in the area of their centre", async () => {
  const coarser = (await nesting("NOR")).filter(([, level]) => Number(level) > 0);
  expect(coarser).toEqual([
    ...[
      ["k1", 1, KM(1), 42, 2, 0],
      ["k2", 1, KM(2), 41, 2, 0],
      ["k3", 1, KM(3), 42, 2, 0],
    ],
    ...[
      ["area41", 2, null, 41, 2, 1],
      ["area42", 2, null, 42, 2, 2],
      ["region", 3, null, null, 2, 2],
    ],
  ]);
});

it("of a country is made anew, and that of others stays", async () => {
  const before = await nesting("EST");
  await areas.run("DELETE FROM mobility.geographies WHERE country_code = 'NOR' AND geo_name <> 'area41'");
  for (const sql of nestingStatements([NOR])) await areas.run(sql, [NOR]);
  expect(await nesting("NOR")).toEqual([["area41", 2, null, 41, 2, 0]]);
  expect(await nesting("EST")).toEqual(before);
});
