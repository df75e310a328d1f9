import fc from "fast-check";
import { expect, it } from "vitest";
import { replayId } from "./replay-id.ts";

it("derives a replay's id, a version 8 UUID, from its job's id alone; a replay of a replay has another id", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (id, other) => {
      expect(replayId(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(replayId(id)).toBe(replayId(id));
      expect(new Set([id, replayId(id), replayId(replayId(id))]).size).toBe(3);
      if (id !== other) expect(replayId(id)).not.toBe(replayId(other));
    }),
    { seed: 1 },
  );
});
