import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import type { Config } from "./config.ts";

/**
 * Returns the address that a request comes from. In the cloud it is the second entry from the right of `x-forwarded-for`: Google's load
 * balancer appends the client's address and its own to whatever the client sent, and nothing else appends
 * (https://cloud.google.com/load-balancing/docs/https#x-forwarded-for_header). Functions accept no requests past it. Locally it is the
 * peer's address. Undefined if that entry is no address.
 */
export function sourceAddress(request: IncomingMessage, { environment }: Pick<Config, "environment">): string | undefined {
  if (environment === "local") return plainAddress(request.socket.remoteAddress);
  const chain = [request.headers["x-forwarded-for"]].flat().join(",").split(",");
  return plainAddress(chain.at(-2)?.trim());
}

/** Returns an address, with an IPv4 address in IPv6 form (`::ffff:192.0.2.1`) as IPv4. Undefined for another text. */
function plainAddress(text = ""): string | undefined {
  const address = text.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv4(address) || isIPv6(address) ? address : undefined;
}

/** Returns the network of an address: /24 of IPv4, /48 of IPv6, which a site usually has. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  // The URL standard writes an IPv6 address in one way only, with `::` for its longest run of zeros.
  const [head = "", tail = ""] = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1).split("::");
  const [front, back] = [head, tail].map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = 8 - (front?.length ?? 0) - (back?.length ?? 0);
  const groups = [...(front ?? []), ...Array.from({ length: zeros }, () => "0"), ...(back ?? [])];
  return `${groups.slice(0, 3).join(":")}::/48`;
}
