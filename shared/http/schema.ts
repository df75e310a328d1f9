import type * as v from "valibot";

/** The schema of one part of a request: takes any input and outputs a `T`. */
export type Schema<T = unknown> = v.GenericSchema<unknown, T>;
