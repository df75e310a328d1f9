import { text } from "node:stream/consumers";
import * as v from "valibot";
import { Plan, planLosses } from "./plan-losses.ts";

/** Reads `terraform show -json PLAN` on standard input, prints what the plan would lose of stateful resources, and exits with 1 if anything. */
const losses = planLosses(v.parse(v.pipe(v.string(), v.parseJson(), Plan), await text(process.stdin)));
for (const loss of losses) console.error(loss);
if (losses.length > 0) process.exitCode = 1;
