import { join } from "node:path";
import { provisionCustomer } from "../../../../scripts/admin/local/customers.ts";
import { parseConfig } from "../../../../shared/runtime/config.ts";
import { parseOptions } from "../../../local/options.ts";
import { startService } from "../../../local/service.ts";
import { type Between, startBetween } from "../../chaos/between.ts";
import { killFunctions } from "../../chaos/kill-functions.ts";
import { startSecondInstance } from "../../revocation/second-instance.ts";
import { randomOf } from "../../simulation/random.ts";
import type { Client } from "../client.ts";
import { goPrograms } from "../tools/go-programs.ts";
import { mustRun } from "../tools/run-program.ts";

const programs = goPrograms(new URL("./", import.meta.url));

const SEED = 1;
/** The share of the calls of the killed instance that fail, on their way there or back. */
const FAULT_RATE = 0.01;
/** The number of requests about maps, and as many with keys; and the number of jobs. */
const EXTENT = { OPERATIONS: "2000", JOBS: "40" };
const SECONDS_MAX = 900;
const DAY_MS = 86_400_000;

/**
 * Runs the clients of `linearizable` against a service of its own, which has two instances of the functions: one is killed again and again, and some of its
 * calls to the cloud fail. Throws an Error with the requests that no order explains.
 */
async function isLinearizable(folder: string): Promise<void> {
  const random = randomOf(SEED);
  const state = join(folder, "state");
  let between: Between | undefined;
  const options = parseOptions(["--state", state, "--engines", "embedded", "--no-schedule", "--port", "0"]);
  const service = await startService(options, () => undefined, {
    between: async (environment) => {
      between = await startBetween(environment, random, FAULT_RATE);
      return between.environment;
    },
  });
  try {
    await service.filled;
    const { ready } = service;
    const config = parseConfig(service.environment);
    const { uid, keys } = await provisionCustomer(config, ready.metadata_host, {
      name: "A customer with many programs",
      countries: ["EST"],
      defaultCountry: "EST",
      keys: { admin: { service: "storage", scopes: ["realtime"], machineAccountAdmin: true } },
    });
    const second = await startSecondInstance({ ready, config });
    const killer = killFunctions(join(state, "ready.json"), random);
    try {
      const { users, data } = second.instance;
      const environment = {
        ...EXTENT,
        SEED: String(SEED),
        INSTANCES: JSON.stringify([
          { Users: ready.users_base_url, Data: ready.data_base_url },
          { Users: users, Data: data },
        ]),
        USER_ID: uid,
        KEY: keys.admin ?? "",
        DAY: new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10),
      };
      await mustRun(await programs.program("linearizable"), [], { folder, environment, secondsMax: SECONDS_MAX });
      if (killer.kills() === 0) throw new Error("The clients ended before a process was killed");
    } finally {
      await killer.stop();
      await second.stop();
    }
  } finally {
    await service.stop();
    await between?.close();
  }
}

/** Porcupine, which decides whether concurrent requests had the effects of one after another: https://github.com/anishathalye/porcupine */
export const porcupine: Client = {
  name: "porcupine",
  tool: programs,
  checks: [
    {
      name: "refuses histories that break a rule",
      quick: false,
      run: async ({ folder }) => {
        await mustRun(await programs.program("refused"), [], { folder });
      },
    },
    {
      name: "finds an order of all that concurrent clients of two instances were told, while one is killed",
      quick: false,
      run: ({ folder }) => isLinearizable(folder),
    },
  ],
};
