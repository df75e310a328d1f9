import headers from "../../infra/console-headers.json" with { type: "json" };

/**
 * Returns the headers of every file of the console. Terraform sets the same ones, from the same file (modules/console).
 * @param addresses the origins that the console calls: the Users API, which serves it, the Data API, Cloud Storage, and the host of the base map
 */
export function consoleHeaders(addresses: readonly string[]): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.replace("{addresses}", addresses.join(" "))]);
  return Object.fromEntries(entries);
}
