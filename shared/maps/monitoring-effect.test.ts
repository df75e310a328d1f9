import { expect, it } from "vitest";
import { isDeliveredBy, monitoringEffect } from "./monitoring-effect.ts";

const on = (version: number) => ({ version, isMonitored: true });
const off = (version: number) => ({ version, isMonitored: false });

it.each([
  ["an edit of an unmonitored map", off(1), off(2), { versionToDeliver: undefined, row: "as it was" }],
  ["an edit of a monitored map", on(1), on(2), { versionToDeliver: 2, row: "as it was" }],
  ["switching on", off(1), on(2), { versionToDeliver: 2, row: "shown" }],
  ["switching off", on(1), off(2), { versionToDeliver: 2, row: "hidden" }],
  ["deleting a monitored map, which makes a new version", on(3), undefined, { versionToDeliver: 4, row: "hidden" }],
  ["deleting an unmonitored map", off(3), undefined, { versionToDeliver: undefined, row: "as it was" }],
] as const)("%s", (_what, before, after, effect) => {
  expect(monitoringEffect(before, after)).toEqual(effect);
});

it("delivering its own version or a newer one completes a change", () => {
  expect([1, 2, 3].map((version) => isDeliveredBy({ version: 2 }, version))).toEqual([false, true, true]);
});
