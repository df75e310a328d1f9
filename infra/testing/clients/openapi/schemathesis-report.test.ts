import { describe, expect, it } from "vitest";
import { type FieldError, invalidFields } from "../../../../shared/http/errors.ts";
import { problemOf } from "../../../../shared/http/problem.ts";
import { isFalseAlarm } from "./false-alarms.ts";
import { readReport } from "./schemathesis-report.ts";

const END = { EngineFinished: { stop_reason: "completed" } };

/** A report of one refused request. */
function reportOf(operation: string, errors: readonly FieldError[], ...last: object[]): string {
  const { body } = problemOf(invalidFields(errors), "id");
  const failure = { code: "ST202", title: "Schema-valid request rejected", operation };
  const recorder = {
    checks: {
      abc: [
        { name: "not_a_server_error", status: "success" },
        { name: "positive_data_acceptance", failure_info: { failure } },
      ],
    },
    interactions: { abc: { response: { status_code: 400, content: { $base64: Buffer.from(JSON.stringify(body)).toString("base64") } } } },
  };
  return [{ Initialize: {} }, { ScenarioFinished: { recorder } }, { ScenarioFinished: { recorder: {} } }, ...last]
    .map((line) => JSON.stringify(line))
    .join("\n");
}

const alias = { pointer: "/country", detail: "is the deprecated alias of country_code: give one of the two" };

describe("a report of schemathesis", () => {
  it("has each error of a refusal, of which every one must be a listed false alarm", () => {
    const required = { pointer: "/dataset", detail: "is required" };
    const reported = readReport(reportOf("GET /data-availability", [alias, required], END));
    expect(reported.map(({ operation, status, field, detail }) => ({ operation, status, field, detail }))).toEqual([
      { operation: "GET /data-availability", status: 400, field: "country", detail: alias.detail },
      { operation: "GET /data-availability", status: 400, field: "dataset", detail: "is required" },
    ]);
    expect(reported.map(isFalseAlarm)).toEqual([true, false]);
  });

  it.each([
    ["GET /data-agg", "/lat", "is required", true],
    ["GET /data-agg", "/lat", "is not a known field", true],
    ["GET /data-agg", "/format", "must be rows: columns are of activities only", true],
    ["GET /data-agg", "/country_code", "is required", false],
    ["GET /data-agg", "/agg_type", "is not a known field", false],
    ["GET /geographies", "/lat", "is not a known field", false],
    ["POST /data-agg", "/start_time", "is required", true],
    ["POST /data-agg", "/lat", "is required", false],
    ["POST /data-agg", "/origin_geo_type", "must be one of grid_1000m for odm in EST", true],
    ["POST /data-agg", "/measure", "must be one of trips for odm in EST", false],
    ["POST /data-agg/results/{job_id}/urls", "/files/3", "is not a file of this job's results, which list their names", true],
  ])("excuses exact fields of exact operations: %s, %s %s", (operation, pointer, detail, expected) => {
    expect(readReport(reportOf(operation, [{ pointer, detail }], END)).map(isFalseAlarm)).toEqual([expected]);
  });

  it("excuses no other check, and no other status", () => {
    const [reported] = readReport(reportOf("GET /data-availability", [alias], END));
    if (!reported) throw new Error("Nothing was reported");
    expect(isFalseAlarm(reported)).toBe(true);
    expect(isFalseAlarm({ ...reported, code: "ST001" })).toBe(false);
    expect(isFalseAlarm({ ...reported, status: 500 })).toBe(false);
  });

  it("of a run that met errors, or did not come to its end, is refused", () => {
    expect(() => readReport(reportOf("GET /data-availability", [alias]))).toThrow("did not come to its end");
    expect(() => readReport(reportOf("GET /data-availability", [alias], { EngineFinished: { stop_reason: "interrupted" } }))).toThrow(
      "end",
    );
    expect(() => readReport(reportOf("GET /data-availability", [alias], { NonFatalError: { value: "timeout" } }, END))).toThrow("timeout");
  });
});
