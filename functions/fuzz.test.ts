import { expect, it } from "vitest";
import { describeFinding } from "../infra/testing/fuzz/finding.ts";
import { checkRefusals } from "../infra/testing/fuzz/refusals.ts";
import type { Sketch } from "../infra/testing/fuzz/requests/sketch.ts";
import { runFuzz } from "../infra/testing/fuzz/run-fuzz.ts";
import { newSender } from "../infra/testing/fuzz/sender.ts";
import { createTriedCustomer } from "../infra/testing/fuzz/target.ts";
import { ready } from "../infra/testing/service.ts";
import { parseConfig } from "../shared/runtime/config.ts";
import { catalogue } from "./catalogue.ts";

const target = { ready, config: parseConfig(process.env) };
const say = () => undefined;

it("no response is a 5xx or violates the OpenAPI documents, and no rejected request leaves anything behind", async () => {
  const functionNames = catalogue.map(({ name }) => name);
  const { findings } = await runFuzz(target, {
    requests: 1400,
    lookAtEvery: 3,
    seed: 2,
    today: new Date(),
    functionNames,
    say,
  });
  expect(findings.map(describeFinding)).toEqual([]);
});

it("what an accepted request begins is not taken for the effect of a refused one", async () => {
  const common = { kind: "valid", functionName: undefined, withKey: true, encoding: "utf8" } as const;
  const request = (api: Sketch["api"], method: string, path: string, body: object): Sketch => ({
    ...{ ...common, api, method, target: path, headers: [["content-type", "application/json"]] },
    body: JSON.stringify(body),
  });
  const geometry = "POLYGON((24.73 59.43, 24.76 59.43, 24.76 59.445, 24.73 59.43))";
  const create = request("users", "POST", "/admin/maps", { name: "Square", type: "custom_polygon", geometry });
  const enable = request("data", "POST", "/admin/realtime", { map_id: "~map.0~", enable: true });
  const dataset = request("users", "POST", "/users/~uid~/personal-dataset", {});
  const unknown = request("users", "PUT", `/admin/maps/${"A".repeat(20)}`, { name: "Nothing" });
  // One in five requests of such a status is sent.
  const refused = [enable, dataset, ...Array.from({ length: 8 }, () => unknown)].flatMap((sketch) =>
    Array(5).fill({ sketch, status: 404 }),
  );
  const customer = await createTriedCustomer(target, { uid: "fuzzedslowly", keyLabel: "fuzz-admin", isWaiting: true });
  const { counts, findings } = await checkRefusals(target, [{ sender: newSender(customer), beginnings: [create], refused }], say);
  expect(findings.map(describeFinding)).toEqual([]);
  expect(counts).toEqual({ "refused requests checked for side effects": 8, "accepted this time": 2 });
});
