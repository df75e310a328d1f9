import { expect, it } from "vitest";
import { entryOf } from "./entry.ts";
import { compileQuery } from "./query.ts";

const LINE = {
  severity: "WARNING",
  message: "A job waits",
  jobs: 3,
  audit: { action: "key.network" },
  httpRequest: { status: 503 },
  "logging.googleapis.com/trace": "projects/p/traces/t",
};
const entry = entryOf(JSON.stringify(LINE), "aggregation-sweep");

it.each([
  ['resource.type="cloud_run_revision" AND resource.labels.service_name="aggregation-sweep"', true],
  ['resource.labels.service_name=("auth-login" OR "aggregation-sweep")', true],
  ['resource.labels.service_name=("auth-login" OR "maps-list")', false],
  ["severity>=WARNING", true],
  ["severity>=ERROR", false],
  ["severity=WARNING AND NOT severity=ERROR", true],
  ['jsonPayload.message="A job waits"', true],
  ['jsonPayload.message="a job"', false],
  ['jsonPayload.message:"a job"', true],
  ["jsonPayload.jobs>2", true],
  ["jsonPayload.jobs>10", false],
  ["jsonPayload.jobs<=3", true],
  ["jsonPayload.audit.action:*", true],
  ["jsonPayload.audit.actor:*", false],
  ["jsonPayload.renamed>=0", false],
  ["jsonPayload.renamed!=0", false],
  ["httpRequest.status<500", false],
  ["httpRequest.status>=500", true],
  ["jsonPayload.httpRequest:*", false],
  ['trace="projects/p/traces/t"', true],
  ["severity=ERROR OR severity=WARNING AND jsonPayload.jobs=3", true],
  ["(severity=ERROR OR severity=WARNING) AND jsonPayload.jobs=4", false],
])("%s: %s", (filter, matches) => {
  expect(compileQuery(filter)(entry)).toBe(matches);
});

it.each([
  "",
  "severity",
  "severity>=",
  "severity=~WARNING",
  'log_id("operator")',
  "(severity=ERROR",
  "severity=ERROR)",
  "jsonPayload.jobs=*",
])("refuses what it does not know: %s", (filter) => expect(() => compileQuery(filter)(entry)).toThrow());
