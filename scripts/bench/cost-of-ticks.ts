import { functionsConfig } from "../../infra/local/functions-environment.ts";
import { provisionCustomer } from "../admin/local/customers.ts";
import { fireTick } from "./fire-tick.ts";
import { report } from "./measure.ts";
import { columnsOf, type MeteredService, type Used } from "./metered-service.ts";
import { insertMonitoredMaps, measurePresence } from "./monitored-maps.ts";
import { priceOfThousand } from "./prices.ts";

const CUSTOMERS = 10;
const MAPS = [10, 100, 1000];
/** The sample's customer has a monitored map, too. */
const ALL_CUSTOMERS = CUSTOMERS + 1;
const QUIET_MS = 300;

/** Measures ticks with the same customers and ever more monitored maps: what is counted by document and message must not grow with maps. */
export async function measureTicks(metered: MeteredService): Promise<void> {
  const { ready, operator } = metered;
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, () =>
      provisionCustomer(functionsConfig(ready.project), ready.metadata_host, {
        name: "Ticks",
        countries: ["EST"],
        defaultCountry: "EST",
        keys: {},
      }),
    ),
  );
  const uids = customers.map(({ uid }) => uid);
  let there = 0;
  let fewest: number | undefined;
  for (const maps of MAPS) {
    await insertMonitoredMaps(operator, { uids, from: there, to: maps });
    there = maps;
    await measurePresence(operator, new Date());
    // The first tick makes the customers' documents.
    for (let run = 0; run < 2; run++) {
      await metered.take(QUIET_MS);
      const { ms } = await fireTick(ready);
      const used = await metered.take(QUIET_MS);
      if (run === 0) continue;
      const operations = used.reads + used.writes;
      fewest ??= operations;
      reportTick(maps, used, { ms, operations, fewest });
    }
  }
}

function reportTick(maps: number, used: Used, { ms, operations, fewest }: { ms: number; operations: number; fewest: number }): void {
  report({
    bench: "cost",
    what: `tick: ${ALL_CUSTOMERS} customers, ${maps} maps`,
    firestore_operations: operations,
    operations_a_customer: operations / ALL_CUSTOMERS,
    ...columnsOf(used),
    wall_ms: ms,
    usd_per_1000: priceOfThousand(used, { requests: 1, wallMs: ms }).usd,
    budget: "operations per customer, none per map",
    ratio: operations / fewest,
    met: operations <= fewest && used.messages === 0 && used.tasks === 0,
  });
}
