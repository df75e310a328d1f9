import { GEOMETRY_CHARACTERS_MAX, type GeographyRow } from "./find.ts";

export interface Page {
  readonly rows: readonly GeographyRow[];
  /** The id after which the next page begins; undefined if there is no next page. */
  readonly nextAfter: number | undefined;
}

/**
 * Returns the first page of rows: at most `limit` rows and `charactersMax` characters of geometry, but at least one row of any size. `rows`
 * has one row beyond the page if there are more.
 */
export function firstPage(rows: readonly GeographyRow[], limit: number, charactersMax = GEOMETRY_CHARACTERS_MAX): Page {
  let characters = 0;
  const tooMuch = rows.findIndex(({ geometry }, index) => {
    characters += geometry?.length ?? 0;
    return index > 0 && characters > charactersMax;
  });
  const page = rows.slice(0, Math.min(limit, tooMuch < 0 ? rows.length : tooMuch));
  return { rows: page, nextAfter: page.length < rows.length ? page.at(-1)?.geo_id : undefined };
}
