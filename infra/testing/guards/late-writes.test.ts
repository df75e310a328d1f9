import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import indexFile from "../../firestore.indexes.json" with { type: "json" };
import { startFirestore } from "../../local/firestore/start.ts";
import type { LocalServer } from "../../local/server.ts";
import type { SourceChange } from "../simulation/mutants/mutant.ts";
import { modulesWith } from "../simulation/mutants/mutated-modules.ts";
import { lateWrites } from "./late-writes.ts";

const PROJECT = "demo-late-writes";
const SCENARIO = "infra/testing/guards/late-writes.ts";
const Scenario = v.object({ lateWrites: v.function() });
const HELD = "shared/accounts/held-key.ts";
const MAPS = "shared/maps/maps.ts";
const KEYS = "shared/accounts/keys-admin.ts";

/** The checks of a key that stand in the transaction that writes, each with what gets through without it. */
const MUTANTS: readonly (SourceChange & { readonly through: readonly string[] })[] = [
  {
    name: "no transaction checks its key",
    file: HELD,
    from: 'if (actor !== "service") assertHeld(actor, documents.at(-1));',
    to: "",
    through: [
      ...["a map is created", "a map is changed", "a map is monitored", "a map is deleted", "a job is cancelled"],
      ...["a machine account is created", "a key is rotated", "a personal dataset is requested"],
    ],
  },
  {
    name: "a map's creation checks no key",
    file: MAPS,
    from: "getAllAs(db, transaction, actor, customerOf(map.uid))",
    to: 'getAllAs(db, transaction, "service", customerOf(map.uid))',
    through: ["a map is created"],
  },
  ...(
    [
      ["a map's change", "let written: CustomerMap | undefined;\n      return ", "a map is changed"],
      ["a map's deletion", "let removed: CustomerMap | undefined;\n      return ", "a map is deleted"],
      ["a map's monitoring", "setMonitored: ({ uid, id, isMonitored, actor, now, counted }) =>\n      ", "a map is monitored"],
    ] as const
  ).map(([what, before, through]) => {
    const reads = (actor: string) =>
      `${before}transact(uid, async (transaction) => {\n        const [document, customer] = await getAllAs(db, transaction, ${actor}, `;
    return { name: `${what} checks no key`, file: MAPS, from: reads("actor"), to: reads('"service"'), through: [through] };
  }),
  {
    name: "a job's submission checks no key",
    file: "shared/jobs/submit-jobs.ts",
    from: 'if (refusal) return { outcome: "keyRefused", refusal };',
    to: "",
    through: ["a job is submitted"],
  },
  {
    name: "a job's cancellation checks no key",
    file: "shared/jobs/jobs.ts",
    from: "getAllAs(db, transaction, actor, jobRef(db, id), customerRef)",
    to: 'getAllAs(db, transaction, "service", jobRef(db, id), customerRef)',
    through: ["a job is cancelled"],
  },
  {
    name: "a machine account's creation and rotation check no key",
    file: "shared/accounts/machine-accounts.ts",
    from: "getAllAs(db, transaction, creator, customerRef, accountRef)",
    to: 'getAllAs(db, transaction, "service", customerRef, accountRef)',
    through: ["a machine account is created", "a key is rotated"],
  },
  {
    name: "a machine account's change checks no key",
    file: KEYS,
    from: 'if (asker) assertAmong(keys, asker);\n    const held = keys.find(({ key }) => key.keyLabel === keyLabel);\n    if (!held) return "absent";\n    const after',
    to: 'const held = keys.find(({ key }) => key.keyLabel === keyLabel);\n    if (!held) return "absent";\n    const after',
    through: ["a machine account is changed"],
  },
  {
    name: "a machine account's removal checks no key",
    file: KEYS,
    from: "return revoked;\n    if (asker) assertAmong(keys, asker);",
    to: "return revoked;",
    through: ["a machine account is removed"],
  },
  {
    name: "a dataset's request checks no key",
    file: "shared/accounts/personal-dataset.ts",
    from: "getAllAs(db, transaction, asker, ref)",
    to: 'getAllAs(db, transaction, "service", ref)',
    through: ["a personal dataset is requested"],
  },
  {
    name: "a login is taken for a transaction",
    file: "functions/auth/login.ts",
    from: "  auth: {},\n",
    to: '  auth: {},\n  checksKey: "in its transaction",\n',
    through: ["a token is answered"],
  },
];

let server: LocalServer;

beforeAll(async () => {
  server = await startFirestore({ project: PROJECT, indexes: indexFile.indexes });
  process.env.FIRESTORE_EMULATOR_HOST = server.address;
  process.env.METADATA_SERVER_DETECTION = "none";
});

afterAll(() => server.close());

async function inEmptyProject(run: (project: string) => unknown): Promise<readonly string[]> {
  // On a connection of its own: compiling a mutant blocks this process, on a busy machine for longer than the server keeps an idle connection.
  const headers = { connection: "close" };
  await fetch(`http://${server.address}/emulator/v1/projects/${PROJECT}/databases/(default)/documents`, { method: "DELETE", headers });
  return v.parse(v.array(v.string()), await run(PROJECT));
}

describe("a write whose key was revoked after its request was admitted", () => {
  it("is refused, and so is the answer of a login", async () => {
    expect(await inEmptyProject(lateWrites)).toEqual([]);
  });

  it.each(MUTANTS)("gets through, and is noticed, with a broken guard: $name", async ({ through, ...mutant }) => {
    const scenario = v.parse(Scenario, modulesWith(mutant)(SCENARIO));
    expect(await inEmptyProject(scenario.lateWrites)).toEqual(through);
  });
});
