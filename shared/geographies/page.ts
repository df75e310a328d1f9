import type { GeographyRow } from "./find.ts";

/** A response is at most 32 MiB on Cloud Run. GeoJSON has twice the characters of WKT at most: a page of this much WKT stays far below. */
const GEOMETRY_CHARACTERS_MAX = 8 * 1024 * 1024;

interface Page {
  readonly rows: readonly GeographyRow[];
  /** The id that the next page comes after; undefined when there is none. */
  readonly nextAfter: number | undefined;
}

/** The first rows: at most `limit`, and at least one whatever its size, but no more than so much geometry. `rows` holds one beyond the limit if there is one. */
export function firstPage(rows: readonly GeographyRow[], limit: number, charactersMax = GEOMETRY_CHARACTERS_MAX): Page {
  let characters = 0;
  const tooMuch = rows.findIndex(({ geometry }, index) => {
    characters += geometry?.length ?? 0;
    return index > 0 && characters > charactersMax;
  });
  const page = rows.slice(0, Math.min(limit, tooMuch < 0 ? rows.length : tooMuch));
  return { rows: page, nextAfter: page.length < rows.length ? page.at(-1)?.geo_id : undefined };
}
