import * as v from "valibot";

/** A request to a worker: this many schedules, starting at a seed. */
export const Chunk = v.object({ subject: v.picklist(["jobs", "ticks"]), first: v.number(), schedules: v.number() });
export type Chunk = v.InferOutput<typeof Chunk>;

/** The worker's answer: a tally. */
export const Answer = v.object({
  schedules: v.number(),
  counts: v.record(v.string(), v.number()),
  failure: v.pipe(
    v.optional(v.object({ seed: v.number(), violation: v.object({ invariant: v.string(), message: v.string() }) })),
    v.transform((failure) => failure),
  ),
});
