import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { SourceChange } from "../simulation/mutants/mutant.ts";
import { modulesWith } from "../simulation/mutants/mutated-modules.ts";
import { lateRequests } from "./late-requests.ts";

const SCENARIO = "infra/testing/revocation/late-requests.ts";
const Scenario = v.object({ lateRequests: v.function() });

/** The guards against late requests that do not stand in a transaction; `infra/testing/guards/late-writes.test.ts` has those that do. */
const MUTANTS: readonly SourceChange[] = [
  {
    name: "no second look when the body is whole",
    file: "shared/http/serve.ts",
    from: "if (progress.admission && isHeldBack) progress.admission = await progress.admission.renew();",
    to: "",
  },
  {
    name: "no second look for a chunked body",
    file: "shared/http/http-request.ts",
    from: 'headers["transfer-encoding"] !== undefined || ',
    to: "",
  },
  {
    name: "no second look for a body that is held back",
    file: "shared/http/http-request.ts",
    from: "return hasBody(request) && !request.complete",
    to: "return hasBody(request) && request.complete",
  },
  {
    name: "the second look refuses nothing",
    file: "shared/http/admit.ts",
    from: "if (refused) throw refused;\n      return",
    to: "return",
  },
  {
    name: "no look before an answer",
    file: "shared/http/admit.ts",
    from: "if (checksKey === undefined) await key.confirm();",
    to: "",
  },
  {
    name: "no look before an error",
    file: "shared/http/admit.ts",
    from: "if (error instanceof ServiceError && !SILENT.has(error.code)) await key.confirm();",
    to: "",
  },
  { name: "a revoked key is held", file: "shared/http/admit.ts", from: "if (!present) throw unknownKey();", to: "if (!present) return;" },
  { name: "a suspension is not seen", file: "shared/http/admit.ts", from: "if (caller.suspended) return", to: "if (!caller) return" },
  { name: "a lost scope is not seen", file: "shared/http/admit.ts", from: "if (auth.scope && ", to: "if (!auth && " },
  {
    name: "lost admin access is not seen",
    file: "shared/http/admit.ts",
    from: "if (auth.machineAccountAdmin && ",
    to: "if (!auth && ",
  },
  {
    name: "a lost country is not seen",
    file: "shared/http/admit.ts",
    from: "...before.countries.filter((country) => !present.countries.includes(country)),",
    to: "",
  },
  {
    name: "a lost profile is not seen",
    file: "shared/http/admit.ts",
    from: '...(before.service === "warehouse" && present.service !== "warehouse" ? ["the warehouse profile"] : []),',
    to: "",
  },
];

describe("a request during which its key changes", () => {
  it("is refused at every moment", async () => {
    expect(await lateRequests()).toEqual([]);
  });

  it.each(MUTANTS)("is accepted, and noticed, with a broken guard: $name", async (mutant) => {
    const scenario = v.parse(Scenario, modulesWith(mutant)(SCENARIO));
    const violations = await v.parse(v.promise(), scenario.lateRequests());
    expect(v.parse(v.array(v.string()), violations)).not.toEqual([]);
  });
});
