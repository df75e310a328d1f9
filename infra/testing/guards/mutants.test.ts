import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { SourceChange } from "../simulation/mutants/mutant.ts";
import { modulesWith } from "../simulation/mutants/mutated-modules.ts";
import { breaches } from "./breaches.ts";

const SCENARIO = "infra/testing/guards/breaches.ts";
const Scenario = v.object({ breaches: v.function() });
const GRANTS = "shared/accounts/key-grants.ts";
const LIMITS = "shared/accounts/account-limits.ts";
const BODY = "shared/runtime/read-bytes.ts";
const TEXT = "shared/runtime/visible-text.ts";
const CELLS = "shared/maps/cell-budget.ts";
const MAPS = "shared/maps/schemas.ts";

/** The guards that refuse a request by itself. `infra/testing/revocation` has those against late requests. */
const MUTANTS: readonly SourceChange[] = [
  {
    name: "no timer before a body's first part",
    file: BODY,
    from: 'let cancelPause = startTimer(pauseMsMax, () => exceed("pauseMsMax"));',
    to: "let cancelPause = () => undefined;",
  },
  {
    name: "no timer after a body's part",
    file: BODY,
    from: 'else cancelPause = startTimer(pauseMsMax, () => exceed("pauseMsMax"));',
    to: "else cancelPause = () => undefined;",
  },
  {
    name: "no timer over all of a body",
    file: BODY,
    from: 'startTimer(totalMsMax, () => exceed("totalMsMax"));',
    to: "() => undefined;",
  },
  {
    name: "a storage key mints for the warehouse",
    file: GRANTS,
    from: 'if (service === "warehouse" && key.service !== "warehouse")',
    to: "if (false)",
  },
  {
    name: "a warehouse token needs no scope",
    file: GRANTS,
    from: 'if (service === "warehouse" && !key.scopes.includes("realtime"))',
    to: "if (false)",
  },
  { name: "a token needs no country", file: GRANTS, from: "if (missing.length === 0) return", to: "return" },
  {
    name: "a new key may have another profile",
    file: GRANTS,
    from: 'if (wanted.service === "warehouse" && creator.service !== "warehouse")',
    to: "if (false)",
  },
  { name: "a new key may have any scope", file: GRANTS, from: "!creator.scopes.includes(one)", to: "false" },
  { name: "a new key may have any country", file: GRANTS, from: "!creator.countries.includes(one)", to: "false" },
  { name: "a polygon may lie anywhere", file: "shared/maps/check-place.ts", from: 'if (place === "inside") return;', to: "return;" },
  { name: "one machine account too many", file: LIMITS, from: "accounts >= ACCOUNTS_MAX", to: "accounts > ACCOUNTS_MAX" },
  { name: "creations of the hour are not counted", file: LIMITS, from: "recent.at(-NEW_PER_HOUR_MAX)", to: "recent.at(NEW_PER_HOUR_MAX)" },
  { name: "creations are forgotten", file: LIMITS, from: "< HOUR_MS)", to: "< 0)" },
  { name: "one monitored cell too many", file: CELLS, from: "monitored > most)", to: "monitored > most + 1)" },
  {
    name: "one stored cell too many",
    file: CELLS,
    from: "&& written > mostWritten)",
    to: "&& written > mostWritten + 1)",
  },
  {
    name: "stored cells of the hour are not counted",
    file: CELLS,
    from: "(use.cellsWritten?.hour === hour ? use.cellsWritten.count : 0)",
    to: "0",
  },
  {
    name: "one geometry change too many",
    file: CELLS,
    from: "recent.at(-GEOMETRY_CHANGES_MAX)",
    to: "recent.at(-GEOMETRY_CHANGES_MAX - 1)",
  },
  {
    name: "one cell of a polygon too many",
    file: "shared/maps/monitored-cells.ts",
    from: "cells > CELLS_MAX",
    to: "cells > CELLS_MAX + 1",
  },
  { name: "names may have controls", file: TEXT, from: "line: `\\\\x00-\\\\x1f\\\\x7f-\\\\x9f", to: "line: `" },
  { name: "names may turn the text around", file: TEXT, from: "\\\\u2028-\\\\u202e", to: "" },
  { name: "names may have zero-width characters", file: TEXT, from: "\\\\u200b-\\\\u200f", to: "" },
  { name: "names may have tags", file: TEXT, from: "\\\\u{e0000}-\\\\u{e0fff}", to: "" },
  { name: "names may have the sign of emojis anywhere", file: TEXT, from: "\\\\ufe0f(?!", to: "(?!)(?!" },
  { name: "a map's name is not looked at", file: MAPS, from: "  visible(),\n", to: "" },
  { name: "a map's description is not looked at", file: MAPS, from: '  visible("lines"),\n', to: "" },
];

describe("an attempt that a guard must refuse", () => {
  it("does not get through", async () => {
    expect(await breaches()).toEqual([]);
  });

  it.each(MUTANTS)("gets through, and is noticed, with a broken guard: $name", async (mutant) => {
    const scenario = v.parse(Scenario, modulesWith(mutant)(SCENARIO));
    const through = await v.parse(v.promise(), scenario.breaches());
    expect(v.parse(v.array(v.string()), through)).not.toEqual([]);
  });
});
