import {
  geographiesStatement,
  publishedActivitiesStatement,
  publishedClassFlowsStatement,
  publishedDaysStatement,
  publishedFlowsStatement,
  publishedPairsStatement,
  publishedTicksStatement,
  rawActivitiesStatement,
  rawClassFlowsStatement,
  rawFlowsStatement,
  rawPairsStatement,
  rawTicksStatement,
  sharesStatement,
} from "../../privacy/statements.ts";
import { queryFile, type SqlFile } from "./sql-file.ts";

/** Returns the queries of the auditor, `npm run privacy`. */
export function privacyFiles(): SqlFile[] {
  const day = { country: "LAT", date: "2026-03-01" };
  const span = { country: "LAT", first: "2026-02-28T22:00:00Z", last: "2026-03-01T22:00:00Z" };
  return [
    queryFile("privacy-days", publishedDaysStatement()),
    queryFile("privacy-geographies", geographiesStatement("LAT")),
    queryFile("privacy-activities.published", publishedActivitiesStatement("activities_hourly", day)),
    queryFile("privacy-activities.raw", rawActivitiesStatement("activities_daily", day)),
    queryFile("privacy-pairs.published", publishedPairsStatement(day)),
    queryFile("privacy-pairs.raw", rawPairsStatement(day)),
    queryFile("privacy-flows.published", publishedFlowsStatement(day)),
    queryFile("privacy-flows.raw", rawFlowsStatement(day)),
    queryFile("privacy-class-flows.published", publishedClassFlowsStatement(day)),
    queryFile("privacy-class-flows.raw", rawClassFlowsStatement(day)),
    queryFile("privacy-ticks.published", publishedTicksStatement(span)),
    queryFile("privacy-ticks.raw", rawTicksStatement(span)),
    queryFile("privacy-shares", sharesStatement(day)),
  ];
}
