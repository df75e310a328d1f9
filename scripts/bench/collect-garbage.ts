import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as v from "valibot";

setFlagsFromString("--expose-gc");
const collect = v.parse(v.function(), runInNewContext("gc"));

/** Collects all garbage of this process now, so that it is not collected while something is measured. */
export function collectGarbage(): void {
  collect();
}
