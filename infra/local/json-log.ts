import { format } from "node:util";
import { processLog } from "../../shared/runtime/log.ts";

/**
 * Makes what this process reports by `console.warn`, `console.error` and Node's warnings one JSON document per line, as its log file promises: packages
 * print text. Node's own printing of warnings must be off (`--no-warnings`).
 */
export function logAsJson(): void {
  console.warn = (...parts: unknown[]) => processLog("WARNING", format(...parts));
  console.error = (...parts: unknown[]) => processLog("ERROR", format(...parts));
  process.on("warning", ({ name, message, stack }) => {
    // Node's features that may change, such as SQLite: nobody who reads the log can do something about it.
    if (name !== "ExperimentalWarning") processLog("WARNING", `${name}: ${message}`, { stack_trace: stack });
  });
}
