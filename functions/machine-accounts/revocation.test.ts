import { expect, it } from "vitest";
import { describeFinding, sayAloud } from "../../infra/testing/fuzz/finding.ts";
import { runRevocation } from "../../infra/testing/revocation/run-revocation.ts";
import { ready } from "../../infra/testing/service.ts";
import { parseConfig } from "../../shared/runtime/config.ts";
import { catalogue } from "../catalogue.ts";

const REQUESTS = 500;

it("under load from eight clients, no instance accepts a rotated key after the response to the rotation, nor a body held back until then", async () => {
  const target = { ready, config: parseConfig(process.env) };
  const { counts, findings } = await runRevocation(target, { requests: REQUESTS, seed: 1, endpoints: catalogue, say: sayAloud });
  expect(findings.map(describeFinding)).toEqual([]);
  expect(counts["requests that began after their key's rotation"]).toBeGreaterThanOrEqual(REQUESTS);
  expect(counts["of these accepted"]).toBe(0);
  expect(counts["requests whose body was completed after one of these"]).toBeGreaterThanOrEqual(40);
  expect(counts["of these accepted after it"]).toBe(0);
  expect(counts.suspensions).toBeGreaterThanOrEqual(1);
  expect(counts["losses of a scope"]).toBeGreaterThanOrEqual(1);
  expect(counts.rotations).toBeGreaterThanOrEqual(10);
});
