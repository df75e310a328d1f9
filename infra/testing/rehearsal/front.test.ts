import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalServer, listenOnLoopback } from "../../local/server.ts";
import { type Front, startFront, type Version } from "./front.ts";

const WORKER = "aggregation-run";
let front: Front;
let versions: Record<Version, LocalServer>;

const portOf = ({ address }: LocalServer): number => Number(address.split(":")[1]);
const versionOf = (name: Version) =>
  listenOnLoopback(createServer((request, response) => response.writeHead(request.url === "/missing" ? 404 : 200).end(name)));

beforeAll(async () => {
  front = await startFront([WORKER]);
  versions = { "N-1": await versionOf("N-1"), N: await versionOf("N") };
  for (const version of ["N-1", "N"] as const) {
    const port = portOf(versions[version]);
    front.point(version, { users: port, data: port, [WORKER]: port });
  }
});
afterAll(async () => {
  await front.close();
  await Promise.all([versions["N-1"].close(), versions.N.close()]);
});

const ask = async (path = "/", entrance = "data") => (await fetch(`${front.urlOf(entrance)}${path}`)).text();

it("splits the requests exactly: 5 % of 40 are two, and then all, and none", async () => {
  const answers = async (number: number) => {
    const given: string[] = [];
    for (let one = 0; one < number; one++) given.push(await ask());
    return given.filter((version) => version === "N").length;
  };
  front.shift(0.05);
  expect(await answers(40)).toBe(2);
  front.shift(1);
  expect(await answers(5)).toBe(5);
  front.shift(0);
  expect(await answers(5)).toBe(0);
});

it("sends messages to one version, whatever the share of requests, and notes the job of each", async () => {
  front.shift(1);
  const push = () => {
    const data = Buffer.from(JSON.stringify({ job_id: "a-job", attempt: 1, step: 0 })).toString("base64");
    return fetch(front.urlOf(WORKER), { method: "POST", body: JSON.stringify({ message: { data } }) });
  };
  expect(await (await push()).text()).toBe("N-1");
  front.switchWorkers("N");
  expect(await (await push()).text()).toBe("N");
  await front.settled();
  expect(front.passed().slice(-2)).toEqual([
    { entrance: WORKER, version: "N-1", status: 200, jobId: "a-job" },
    { entrance: WORKER, version: "N", status: 200, jobId: "a-job" },
  ]);
});

it("passes refusals on, and notes a version that does not answer", async () => {
  front.shift(1);
  await ask("/missing");
  front.point("N", {});
  await expect(ask()).rejects.toThrow();
  await front.settled();
  expect(
    front
      .passed()
      .slice(-2)
      .map(({ status }) => status),
  ).toEqual([404, undefined]);
});
