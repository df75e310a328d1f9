import { parentPort } from "node:worker_threads";
import * as v from "valibot";
import { runSchedules } from "../../infra/testing/simulation/run-schedules.ts";
import { SIMULATIONS } from "../../infra/testing/simulation/simulations.ts";
import { Chunk } from "./chunk.ts";

parentPort?.on("message", async (message: unknown) => {
  const { subject, first, schedules } = v.parse(Chunk, message);
  parentPort?.postMessage(await runSchedules(SIMULATIONS[subject], first, schedules));
});
