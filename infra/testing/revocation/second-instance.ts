import { join } from "node:path";
import { endChild, startChild } from "../../local/child.ts";
import { FunctionsReady } from "../../local/messages.ts";
import { functionsLog, type Target } from "../fuzz/target.ts";

/** The base URLs of one instance of the functions. */
export interface Instance {
  readonly users: string;
  readonly data: string;
}

/** Starts a second process of the functions, as the platform does under load. `process.env` holds its environment. */
export async function startSecondInstance(target: Target): Promise<{ readonly instance: Instance; readonly stop: () => Promise<void> }> {
  const child = await startChild({
    file: "functions.ts",
    env: { ...process.env, LOCAL_PORTS: "{}" },
    logFile: join(functionsLog(target), "..", "functions-2.log"),
    ready: FunctionsReady,
  });
  const { users, data } = child.ready.ports;
  return { instance: { users: `http://127.0.0.1:${users}`, data: `http://127.0.0.1:${data}` }, stop: () => endChild(child.process) };
}
