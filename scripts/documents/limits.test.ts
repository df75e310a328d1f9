import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, readPage } from "./pages.ts";

/** The rows of the table of limits: what is limited, the value shown, and the code that sets it. */
const LIMITS: readonly (readonly [row: string, value: string, file: string, code: string])[] = [
  ["ids in a `GET` (`geo_ids`)", "500", "shared/countries/request-fields.ts", 'readIds(500, "must hold at most 500 ids")'],
  ["ids in a `POST`", "10,000", "shared/countries/request-fields.ts", 'readIds(10_000, "must hold at most 10,000 ids")'],
  ["request body", "1 MiB", "shared/http/http-request.ts", "const BODY_BYTES_MAX = 1_048_576;"],
  ["request body: pause", "5 seconds", "shared/http/http-request.ts", "const BODY_PAUSE_MS_MAX = 5000;"],
  ["request body: time in all", "30 seconds", "shared/http/http-request.ts", "const BODY_MS_MAX = 30_000;"],
  ["nesting of a JSON body", "32 levels", "shared/http/json.ts", "const DEPTH_MAX = 32;"],
  ["`Idempotency-Key`", "255 characters, kept for 24 hours", "functions/aggregation/submit.ts", "const IDEMPOTENCY_MS = 86_400_000;"],
  ["window of an aggregation", "400 days", "shared/countries/parse-countries.ts", "v.minValue(1)), 400),"],
  ["window of a synchronous preview", "its first 24 hours", "shared/products/time-window.ts", "const DAY_MS = 24 * HOUR_MS;"],
  ["geographies in the `bbox` of a preview", "5,000", "shared/products/geographies-in-box.ts", "const GEOGRAPHIES_MAX = 5000;"],
  [
    "outlines on the border of such a `bbox`",
    "32 MiB",
    "shared/products/geographies-in-box.ts",
    "const OUTLINE_CHARACTERS_MAX = 32 * 1024 * 1024;",
  ],
  ["rows of a synchronous preview of the matrix", "5,000", "shared/products/odm.ts", "const PREVIEW_ROWS_MAX = 5000;"],
  ["rows of a job's preview (`full` false)", "100", "shared/products/product-query.ts", "const PREVIEW_ROWS_MAX = 100;"],
  ["distance of Flow's coordinate to a road", "2 km", "shared/products/nearest-road-link.ts", "export const NEAREST_LINK_METRES = 2000;"],
  ["page of `GET /data-agg/jobs`", "100", "shared/aggregation/job-list-schemas.ts", "limitUpTo(100,"],
  ["page of `GET /admin/maps`", "1,000 maps and 8 MiB", "shared/maps/list-page.ts", "const LIST_BYTES_MAX = 8 * 1024 * 1024;"],
  ["requests per customer", "100 per second, bursts of 500", "shared/runtime/config.ts", 'v.minValue(1)), "500"),'],
  ["a job from its slot to its end", "6 hours", "shared/jobs/job-state.ts", "const DEADLINE_MS = 6 * 3_600_000;"],
  ["attempts of a job whose failure is retryable", "3", "shared/jobs/job-state.ts", "export const ATTEMPTS_MAX = 3;"],
  ["results of a job", "kept for 30 days", "shared/jobs/job-state.ts", "export const RETENTION_MS = 30 * 86_400_000;"],
  [
    "page of `GET /geographies`",
    "1,000 and 2 MiB of geometry",
    "shared/geographies/find.ts",
    "export const GEOMETRY_CHARACTERS_MAX = 2 * 1024 * 1024;",
  ],
  ["page of `GET /admin/realtime/history`", "10,000", "shared/realtime/schemas.ts", "limitUpTo(10_000,"],
  ["window of `GET /admin/realtime/history`", "400 days", "shared/realtime/schemas.ts", "const WINDOW_DAYS_MAX = 400;"],
  ["polygon: area", "5,000 km²", "shared/geometry/polygon-validity.ts", "const AREA_MAX_KM2 = 5000;"],
  ["polygon: text", "256 KiB", "shared/geometry/wkt.ts", "const TEXT_MAX = 256 * 1024;"],
  ["polygon: points", "10,000", "shared/geometry/wkt-text.ts", "const VERTICES_MAX = 10_000;"],
  ["polygon that is monitored: 250 m cells", "200,000", "shared/maps/monitored-cells.ts", "const CELLS_MAX = 200_000;"],
  ["geometry changes per map and hour", "60", "shared/maps/cell-budget.ts", "export const GEOMETRY_CHANGES_MAX = 60;"],
  ["cells of all monitored maps of a customer \\*", "500,000", "shared/accounts/customers.ts", "monitoredCells: 500_000,"],
  ["cells stored by changes per customer and hour", "twice that", "shared/maps/cell-budget.ts", "export const WRITES_PER_HOUR = 2;"],
  ["map: name, description", "200 and 2,000 characters", "shared/maps/schemas.ts", "maxCharacters(2000)"],
  ["access token", "1 hour", "shared/google/iam-credentials.ts", "const LIFETIME_SECONDS = 3600;"],
  ["headcount: age of its measurement", "15 minutes", "shared/realtime/headcount.ts", "export const STALE_AFTER_MS = 15 * 60_000;"],
  ["jobs running at once, per customer \\*", "5", "shared/accounts/customers.ts", "runningJobs: 5,"],
  ["unfinished jobs per customer \\*", "200", "shared/accounts/customers.ts", "unfinishedJobs: 200,"],
  ["exports per customer and day (UTC) \\*", "500", "shared/accounts/customers.ts", "exportsPerDay: 500,"],
  ["bytes read per customer and day (UTC) \\*", "200 GB", "shared/accounts/customers.ts", "bytesPerDay: 200_000_000_000,"],
  ["machine accounts per customer", "100", "shared/accounts/account-limits.ts", "const ACCOUNTS_MAX = 100;"],
  ["new machine accounts per customer and hour", "20", "shared/accounts/account-limits.ts", "const NEW_PER_HOUR_MAX = 20;"],
  ["end of a key (`expiresAt`)", "730 days ahead", "shared/accounts/key-expiry.ts", "const DAYS_MAX = 730;"],
  ["maps per customer \\*", "1,000", "shared/accounts/customers.ts", "maps: 1000,"],
  ["geometry of all maps of a customer \\*", "16 MiB", "shared/accounts/customers.ts", "geometryBytes: 16 * 1024 * 1024,"],
];

/** The rows of the table. */
function shownLimits(): (readonly [row: string, value: string])[] {
  const [, table = ""] = /^\| limit +\|.*\n\|[ |-]+\|\n((?:\|.*\n)+)/m.exec(readPage("functions/README.md")) ?? [];
  return [...table.matchAll(/^\| (.+?) +\| (.+?) +\| .+\|$/gm)].map(([, row = "", value = ""]) => [row, value]);
}

it("the table of limits has these rows, and no row that is not checked", () => {
  expect(shownLimits().toSorted()).toEqual(LIMITS.map(([row, value]) => [row, value]).toSorted());
});

it.each(LIMITS)("the limit of %s is %s in the code", (_row, _value, file, code) => {
  expect(readFileSync(join(ROOT, file), "utf8")).toContain(code);
});
