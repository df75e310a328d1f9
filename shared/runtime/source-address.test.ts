import { createServer, get } from "node:http";
import { afterAll, describe, expect, it } from "vitest";
import { networkOf, sourceAddress } from "./source-address.ts";

const FORWARDED = "x-forwarded-for";
let environment: "local" | "prod" = "prod";
const server = createServer((request, response) => response.end(JSON.stringify({ from: sourceAddress(request, { environment }) })));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const port = address !== null && typeof address === "object" ? address.port : 0;
afterAll(() => server.close());

/** The source of a request with these header lines, as a server sees it. */
function sourceWith(lines: readonly string[], where: typeof environment): Promise<unknown> {
  environment = where;
  return new Promise((resolve, reject) => {
    const asked = get(
      { port, host: "127.0.0.1", agent: false, headers: lines.length > 0 ? { [FORWARDED]: [...lines] } : {} },
      async (response) => {
        resolve(JSON.parse(Buffer.concat(await response.toArray()).toString()));
      },
    );
    asked.on("error", reject);
  });
}

describe("the source of a request", () => {
  it.each([
    ["what the load balancer wrote", ["203.0.113.7,198.51.100.1"], "203.0.113.7"],
    ["not what the client claims", ["10.9.9.9, 192.0.2.66 ,203.0.113.7, 198.51.100.1"], "203.0.113.7"],
    ["not what the client claims in a line of its own", ["192.0.2.66", "203.0.113.7,198.51.100.1"], "203.0.113.7"],
    ["an IPv6 address", ["2001:db8::7,2600:1901:0:a7aa::"], "2001:db8::7"],
  ])("behind the load balancer is %s", async (_what, lines, from) => {
    expect(await sourceWith(lines, "prod")).toEqual({ from });
  });

  it.each([
    ["no chain", []],
    ["one entry", ["203.0.113.7"]],
    ["a text instead of an address", ["unknown, 198.51.100.1"]],
  ])("is not known with %s", async (_what, lines) => {
    expect(await sourceWith(lines, "prod")).toEqual({});
  });

  it("is the peer locally, whatever the client claims", async () => {
    expect(await sourceWith(["203.0.113.7,198.51.100.1"], "local")).toEqual({ from: "127.0.0.1" });
  });
});

it.each([
  ["203.0.113.7", "203.0.113.0/24"],
  ["2001:db8:1:2::7", "2001:db8:1::/48"],
  ["2001:0DB8:0001:0002:0:0:0:7", "2001:db8:1::/48"],
  ["2001:db8::7", "2001:db8:0::/48"],
  ["::1", "0:0:0::/48"],
  ["fe80::1%eth0", "fe80:0:0::/48"],
])("the network of %s is %s", (from, network) => {
  expect(networkOf(from)).toBe(network);
});
