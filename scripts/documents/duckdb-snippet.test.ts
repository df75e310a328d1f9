import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { openDuckDb } from "../import/duckdb-session.ts";
import { readPage } from "./pages.ts";

/** The columns of an export of the matrix. */
const EXPORT = `batch_date,origin_geo_id,destination_geo_id,General_Distance,trips
2026-03-01,51440004116000,51450004116000,1000.0,40
2026-03-01,51450004116000,51440004116000,1000.0,70
2026-03-01,51440004116000,51440004117000,1000.0,50
`;

it("DuckDB runs the query of the page on a downloaded file", async () => {
  const duckdb = await openDuckDb();
  onTestFinished(duckdb.close);
  const file = duckdb.path("trips.csv.gz");
  writeFileSync(file, gzipSync(EXPORT));
  const [, sql = ""] = /^```sql\n(SELECT origin_geo_id[\s\S]*?)```$/m.exec(readPage("functions/README.md")) ?? [];
  expect(await duckdb.rows(sql.replace(".local/trips.csv.gz", file))).toEqual([
    { origin_geo_id: "51440004116000", trips: "90" },
    { origin_geo_id: "51450004116000", trips: "70" },
  ]);
});
