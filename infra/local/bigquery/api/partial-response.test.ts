import { describe, expect, it } from "vitest";
import { readSelection } from "./partial-response.ts";

const JOB = {
  kind: "bigquery#job",
  status: { state: "DONE", errors: [{ reason: "stopped", message: "m" }] },
  statistics: {
    creationTime: "1",
    endTime: "2",
    query: {
      totalBytesBilled: "3",
      queryPlan: [
        { id: "0", steps: [] },
        { id: "1", steps: [] },
      ],
    },
  },
};

describe("a selection of fields", () => {
  it.each([
    ["kind", { kind: JOB.kind }],
    ["status", { status: JOB.status }],
    ["status/state,kind", { kind: JOB.kind, status: { state: "DONE" } }],
    ["statistics(creationTime,query/totalBytesBilled)", { statistics: { creationTime: "1", query: { totalBytesBilled: "3" } } }],
    ["statistics/query/queryPlan/id", { statistics: { query: { queryPlan: [{ id: "0" }, { id: "1" }] } } }],
    ["status/errors(reason),status/state", { status: { state: "DONE", errors: [{ reason: "stopped" }] } }],
    [
      "statistics/query/totalBytesBilled,statistics/query/queryPlan(id)",
      { statistics: { query: { totalBytesBilled: "3", queryPlan: [{ id: "0" }, { id: "1" }] } } },
    ],
    ["status/*/reason", { status: { errors: [{ reason: "stopped" }] } }],
    ["*/state", { status: { state: "DONE" }, statistics: {} }],
    ["status,status/state", { status: JOB.status }],
    ["status/state,status", { status: JOB.status }],
    ["nothing,status/nowhere,kind/of", { status: {} }],
  ])("%s takes that part of an answer", (fields, part) => {
    expect(readSelection(fields)(JOB)).toEqual(part);
  });

  it.each(["", ",", "a,", "a//b", "a(b", "a)b", "a(b)c", "(a)", "a()", "/a"])("%j is refused", (fields) => {
    expect(() => readSelection(fields)).toThrow(`Invalid field selection ${fields}`);
  });
});
