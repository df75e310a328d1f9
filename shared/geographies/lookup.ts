import * as v from "valibot";
import { type Statement, statement } from "../google/statement.ts";

const GeographyId = v.pipe(
  v.object({ id: v.number() }),
  v.transform(({ id }) => id),
);
const GeographyCount = v.pipe(
  v.object({ geographies: v.number() }),
  v.transform(({ geographies }) => geographies),
);

/** Returns a query of the ids in a list that are not geographies of a type in a country, in ascending order. */
export function unknownGeographiesStatement(country: string, type: string, ids: readonly number[]): Statement<number> {
  return statement(
    GeographyId,
    `SELECT id
FROM UNNEST(@ids) AS id
WHERE id NOT IN (SELECT geo_id FROM \`mobility.geographies\` WHERE country_code = @country_code AND geo_type = @geo_type)
ORDER BY id`,
    {
      ids: { type: "ARRAY<INT64>", value: ids },
      country_code: { type: "STRING", value: country },
      geo_type: { type: "STRING", value: type },
    },
  );
}

/** Returns a query of the number of geographies of a type in a country: one row. */
export function countGeographiesStatement(country: string, type: string): Statement<number> {
  return statement(
    GeographyCount,
    `SELECT COUNT(*) AS geographies
FROM \`mobility.geographies\`
WHERE country_code = @country_code AND geo_type = @geo_type`,
    { country_code: { type: "STRING", value: country }, geo_type: { type: "STRING", value: type } },
  );
}
