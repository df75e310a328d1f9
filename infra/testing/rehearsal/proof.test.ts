import { describe, expect, it } from "vitest";
import type { Passed, Version } from "./front.ts";
import { migrationProofs, missingProofs, type Proof, restoreProofs, splitProofs, wholeProofs, workedProofs } from "./proof.ts";

const answered = (version: Version, number: number, more: Partial<Passed> = {}): Passed[] =>
  Array.from({ length: number }, () => ({ entrance: "data", version, status: 200, ...more }));
const faultsOf = (proofs: readonly Proof[]) => missingProofs("step", proofs);

describe("a step counts as taken only if", () => {
  it("something shows that it was", () => {
    expect(faultsOf([])).toEqual(["step: nothing shows that it was taken"]);
    expect(faultsOf([{ what: "ticks", found: 0, least: 1 }])).toEqual(["step: ticks: 0, not at least 1"]);
  });

  it("N answered its share, and N-1 the rest", () => {
    expect(faultsOf(splitProofs([...answered("N-1", 380), ...answered("N", 20)], 0.05))).toEqual([]);
    expect(faultsOf(splitProofs(answered("N-1", 400), 0.05))).toEqual(["step: requests answered by N: 0, not 10 to 30"]);
    expect(faultsOf(splitProofs([...answered("N-1", 300), ...answered("N", 100)], 0.05))).toEqual([
      "step: requests answered by N: 100, not 10 to 30",
    ]);
    expect(faultsOf(splitProofs(answered("N", 1), 0.05))).toEqual(["step: requests answered by N-1: 0, not at least 1"]);
  });

  it("all traffic goes to one version: messages to workers, and requests without an answer, do not count", () => {
    expect(faultsOf(wholeProofs(answered("N", 200), "N", 200))).toEqual([]);
    expect(faultsOf(wholeProofs([...answered("N", 200), ...answered("N-1", 1)], "N", 200))).toEqual([
      "step: requests answered by N-1: 1, not 0",
    ]);
    const others = [...answered("N", 100, { entrance: "aggregation-run" }), ...answered("N", 100, { status: undefined })];
    expect(faultsOf(wholeProofs(others, "N", 200))).toEqual(["step: requests answered by N: 0, not at least 200"]);
  });

  it("the tables have the migrations' rows in the ledger and their columns, and lost none", () => {
    const before = { ledger: 1, columns: new Set(["a.t.id", "a.t.name"]) };
    const wanted = { migrations: 1, columns: ["a.t.more"] };
    const whole = { ledger: 2, columns: new Set(["a.t.id", "a.t.name", "a.t.more"]) };
    expect(faultsOf(migrationProofs(before, whole, wanted))).toEqual([]);
    expect(faultsOf(migrationProofs(before, before, wanted))).toEqual([
      "step: new rows in the ledger of migrations: 0, not 1",
      "step: new columns: 0, not 1",
    ]);
    expect(faultsOf(migrationProofs(whole, whole, wanted))).toContain("step: new columns: 0, not 1");
    const narrowed = { ledger: 2, columns: new Set(["a.t.id", "a.t.more"]) };
    expect(faultsOf(migrationProofs(before, narrowed, wanted))).toEqual(["step: columns kept: 1, not 2"]);
  });

  it("the other version worked the jobs of a journey, and it alone", () => {
    const worked = (jobId: string, version: Version) => answered(version, 1, { entrance: "aggregation-run", jobId });
    expect(faultsOf(workedProofs([...worked("a", "N"), ...worked("b", "N")], ["a", "b"], "N"))).toEqual([]);
    const mixed = [...worked("a", "N"), ...worked("a", "N-1"), ...worked("b", "N")];
    expect(faultsOf(workedProofs(mixed, ["a", "b"], "N"))).toEqual(["step: journeys' jobs worked by N: 1, not 2"]);
    expect(faultsOf(workedProofs(worked("c", "N"), [], "N"))).toEqual(["step: journeys' jobs worked by N: 0, not 1"]);
  });

  it("something was lost, and the restored database has every document of the backup", () => {
    expect(faultsOf(restoreProofs(40, 40, 10))).toEqual([]);
    expect(faultsOf(restoreProofs(40, 39, 10))).toEqual(["step: documents in the restored database: 39, not 40"]);
    expect(faultsOf(restoreProofs(0, 0, 0))).toEqual([
      "step: documents in the backup: 0, not at least 1",
      "step: documents deleted by mistake: 0, not at least 1",
    ]);
  });
});
