import type * as v from "valibot";

/** What reads one part of a request: whatever comes in, a `T` comes out. */
export type Schema<T = unknown> = v.GenericSchema<unknown, T>;
