/** The most bytes of maps in a list, as JSON. A page always has at least one map, which is smaller. */
const LIST_BYTES_MAX = 8 * 1024 * 1024;

/** Returns how many of these maps, in the form of the response, fit into a page of at most `limit` maps and 8 MiB. */
export function fittingCount(maps: readonly object[], limit: number, bytesMax = LIST_BYTES_MAX): number {
  let bytes = 0;
  const beyond = maps.findIndex((map, index) => {
    bytes += Buffer.byteLength(JSON.stringify(map)) + 1;
    return index > 0 && bytes > bytesMax;
  });
  return Math.min(limit, beyond < 0 ? maps.length : beyond);
}
