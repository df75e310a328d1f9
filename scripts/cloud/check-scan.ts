import { text } from "node:stream/consumers";
import * as v from "valibot";
import { criticalWithFix, isScanned, Scan } from "./scan.ts";

/**
 * Reads `gcloud artifacts docker images describe IMAGE --show-package-vulnerability --format=json` on standard input. Exits with 3 while the
 * image is not scanned; with 1 if a critical vulnerability has a fix, after a line for each; with 2 if this cannot be read.
 */
const scan = v.safeParse(v.pipe(v.string(), v.parseJson(), Scan), await text(process.stdin));
if (!scan.success) process.exitCode = 2;
else if (!isScanned(scan.output)) process.exitCode = 3;
else {
  const found = criticalWithFix(scan.output);
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}
