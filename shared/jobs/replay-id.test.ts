import fc from "fast-check";
import { expect, it } from "vitest";
import { replayId } from "./replay-id.ts";

it("the id of a replay is a UUID of its job's alone, and a replay's own replay has another", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (id, other) => {
      expect(replayId(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(replayId(id)).toBe(replayId(id));
      expect(new Set([id, replayId(id), replayId(replayId(id))]).size).toBe(3);
      if (id !== other) expect(replayId(id)).not.toBe(replayId(other));
    }),
  );
});
