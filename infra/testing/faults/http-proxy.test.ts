import { createServer } from "node:http";
import { expect, test } from "vitest";
import { randomOf } from "../simulation/random.ts";
import { listenOnLoopback } from "./address.ts";
import { fatesOf } from "./fate.ts";
import { startHttpProxy } from "./http-proxy.ts";
import { startPushProxy } from "./push-proxy.ts";

test("a call fails before or after its effect, or passes unchanged, and the counts match", async () => {
  let arrived = 0;
  const service = await listenOnLoopback(createServer((_, response) => void response.end(`call ${++arrived}`)));
  const fates = fatesOf(randomOf(1), 0.5, ["slow"]);
  const proxy = await startHttpProxy(service.address, fates);
  const met = { passed: 0, unavailable: 0, reset: 0 };
  for (let call = 0; call < 60; call++) {
    const status = await fetch(`http://${proxy.address}/`).then(
      (response) => response.status,
      () => undefined,
    );
    met[status === 200 ? "passed" : status === 503 ? "unavailable" : "reset"]++;
  }
  const counts = fates.counts();
  await proxy.close();
  await service.close();
  expect(met).toEqual({
    passed: counts.passed,
    unavailable: counts.unavailable + counts["unavailable after its effect"],
    reset: counts.reset + counts["reset after its effect"],
  });
  expect(arrived).toBe(counts.passed + counts["unavailable after its effect"] + counts["reset after its effect"]);
});

test("duplicate pushes and lost acknowledgements match their counts", async () => {
  let arrived = 0;
  const service = await listenOnLoopback(createServer((_, response) => void response.writeHead(204, { arrived: ++arrived }).end()));
  const proxy = await startPushProxy(() => service.address, randomOf(2), 0.5);
  let acknowledged = 0;
  for (let push = 0; push < 40; push++)
    acknowledged += await fetch(`http://${proxy.address}/`, { method: "POST", body: "{}" }).then(
      ({ status }) => Number(status === 204),
      () => 0,
    );
  const { pushes, doubled, unacknowledged } = proxy.counts();
  await proxy.close();
  await service.close();
  expect(arrived).toBe(pushes + doubled);
  expect(acknowledged).toBe(pushes - unacknowledged);
  expect(doubled * unacknowledged).toBeGreaterThan(0);
});
