import * as v from "valibot";
import { GEO_TYPES } from "../../../shared/countries/country-rules.ts";
import type { Knowledge } from "./requests/words.ts";
import type { Target, TriedCustomer } from "./target.ts";

const Page = v.object({ geographies: v.array(v.object({ geo_id: v.number() })) });
const IDS_KEPT = 40;

/** Reads from the service what requests must know about the sample data to find something. */
export async function readKnowledge({ ready }: Target, { key }: TriedCustomer, today: Date): Promise<Knowledge> {
  const geoIds: Record<string, number[]> = {};
  for (const type of GEO_TYPES) {
    const url = `${ready.data_base_url}/geographies?country_code=EST&geo_type=${type}&limit=${IDS_KEPT}`;
    const page = v.safeParse(Page, await (await fetch(url, { headers: { "x-api-key": key } })).json());
    // A type that is not offered has a response without geographies.
    if (page.success) geoIds[type] = page.output.geographies.map(({ geo_id }) => geo_id);
  }
  return { today, geoIds };
}
