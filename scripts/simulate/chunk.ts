import * as v from "valibot";

/** What a worker is asked for: so many schedules, from a seed on. */
export const Chunk = v.object({ subject: v.picklist(["jobs", "ticks"]), first: v.number(), schedules: v.number() });
export type Chunk = v.InferOutput<typeof Chunk>;

/** What it answers: a tally. */
export const Answer = v.object({
  schedules: v.number(),
  counts: v.record(v.string(), v.number()),
  failure: v.pipe(
    v.optional(v.object({ seed: v.number(), violation: v.object({ invariant: v.string(), message: v.string() }) })),
    v.transform((failure) => failure),
  ),
});
