import { text } from "node:stream/consumers";
import * as v from "valibot";
import { Plan } from "./plan-losses.ts";
import { summarizePlan } from "./plan-summary.ts";

/** Reads `terraform show -json PLAN` on standard input, and prints it as Markdown for a reviewer. Takes the environment's name. */
const plan = v.parse(v.pipe(v.string(), v.parseJson(), Plan), await text(process.stdin));
process.stdout.write(summarizePlan(process.argv[2] ?? "", plan));
