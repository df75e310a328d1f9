/**
 * Sets an entry of a map that keeps the most recently set ones, so that the memory of a process stays bounded. Beyond `most` entries, the one
 * that was set longest ago is dropped.
 */
export function keepRecent<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  // A map is in the order of insertion. An entry that is only set again would keep its place.
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
