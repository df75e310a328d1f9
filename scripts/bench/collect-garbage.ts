import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as v from "valibot";

/** Collects all garbage of this process now, so that it is not collected while something is measured. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  v.parse(v.function(), runInNewContext("gc"))();
}
