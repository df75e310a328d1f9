import type { CountryTable } from "../../../shared/countries/country-rules.ts";
import { compactionStatements } from "../../../shared/realtime/compaction.ts";
import {
  countHeadcountsStatement,
  countMonitoredStatement,
  deleteHeadcountsStatement,
  deleteMonitoredStatement,
} from "../../../shared/realtime/customer-rows.ts";
import { CUSTOMER_DATASETS, heldStatement } from "../../../shared/realtime/customer-tables.ts";
import { headcountsOfWindowStatement, headcountsSpanStatement } from "../../../shared/realtime/fill-customer-table.ts";
import {
  headcountOfMapStatement,
  headcountsOfTicksStatement,
  headcountsUpToTickStatement,
} from "../../../shared/realtime/headcount-rows.ts";
import { headcountsStatement, newestTicksStatement } from "../../../shared/realtime/headcounts.ts";
import { historyStatement } from "../../../shared/realtime/history.ts";
import { standingPartsStatement } from "../../../shared/realtime/map-cells-table.ts";
import { queryFile, type SqlFile } from "./sql-file.ts";

const TICK = new Date("2026-03-01T12:05:00Z");
/** The last tick of one country is from the day before. */
const NEWEST = ["2026-02-28T09:40:00.000Z", "2026-03-01T12:00:00.000Z"];

const UID = "acmemobility";
const HISTORY = { uid: UID, mapId: "yglEXBIE3GYCFNVEASMe", start: new Date("2026-01-01T00:00:00Z"), end: TICK };
const LAST = { createdAt: new Date("2026-02-28T09:40:00Z"), id: "SUCCESS" };

/** Returns the statements of a realtime tick, of the hourly compaction, and of a customer's deletion. */
export function realtimeFiles(countries: CountryTable): SqlFile[] {
  return [
    queryFile("headcounts.newest-ticks", newestTicksStatement(TICK)),
    queryFile("headcounts.compute", headcountsStatement(TICK, countries, NEWEST)),
    queryFile("headcounts.compute-without-measurement", headcountsStatement(TICK, countries, [])),
    queryFile("headcounts.compute-of-map", headcountsStatement(TICK, countries, NEWEST, { uid: UID, mapId: HISTORY.mapId, version: 3 })),
    queryFile("headcounts.up-to-tick", headcountsUpToTickStatement(TICK, 300_000)),
    queryFile("headcounts.of-ticks", headcountsOfTicksStatement([TICK, new Date("2026-03-01T11:10:00Z")], [UID])),
    queryFile("headcounts.of-map", headcountOfMapStatement(TICK, HISTORY)),
    queryFile("headcounts.history", historyStatement(HISTORY, 1001)),
    queryFile("headcounts.history-next-page", historyStatement({ ...HISTORY, after: LAST }, 1001)),
    ...Object.entries(compactionStatements(TICK)).map(([what, compaction]) => queryFile(`monitored-maps.compact-${what}`, compaction)),
    queryFile("map-cells.standing", standingPartsStatement(UID, "5e".repeat(32), TICK)),
    queryFile("monitored-maps.count-of-customer", countMonitoredStatement(UID, TICK)),
    queryFile("monitored-maps.forget-customer", deleteMonitoredStatement("realtime.monitored_maps", UID, TICK)),
    queryFile("map-cells.forget-customer", deleteMonitoredStatement("realtime.map_cells", UID, TICK)),
    queryFile("headcounts.count-of-customer", countHeadcountsStatement(UID)),
    queryFile("headcounts.forget-customer", deleteHeadcountsStatement(UID)),
    queryFile("headcounts.span-of-customer", headcountsSpanStatement(UID, TICK)),
    queryFile("headcounts.window-of-customer", headcountsOfWindowStatement({ uid: UID, from: HISTORY.start, to: TICK, before: TICK })),
    ...CUSTOMER_DATASETS.map((dataset) =>
      queryFile(`${dataset}.held`, heldStatement({ dataset, uid: UID }, [{ tick: TICK.toISOString() }])),
    ),
  ];
}
