/** Ids as in a request. */
export type RequestedIds = readonly (number | string)[];

/** Returns a filter for ids. All pass when a request has none. */
export function idFilter(ids: RequestedIds | undefined): (id: number) => boolean {
  if (ids === undefined) return () => true;
  const wanted = new Set(ids.map(Number));
  return (id) => wanted.has(id);
}

/** Returns the requested ids that are not geographies, each once, in ascending order. */
export function unknownIds(
  ...sides: readonly (readonly [requested: RequestedIds | undefined, known: ReadonlyMap<number, string>])[]
): number[] {
  const unknown = sides.flatMap(([requested = [], known]) => requested.map(Number).filter((id) => !known.has(id)));
  return [...new Set(unknown)].sort((a, b) => a - b);
}
