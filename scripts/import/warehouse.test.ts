import { expect, test } from "vitest";
import { repeatOnConflict } from "./warehouse.ts";

/** BigQuery's words for a transaction that another one has ended. */
const CONFLICT = "Transaction is aborted due to concurrent update against table demo:mobility.odm_daily";

/** Work that fails as often as there are messages, and then succeeds; `pauses` tells between which attempts it was waited. */
async function worked(...messages: readonly string[]): Promise<{ readonly result: unknown; readonly pauses: readonly number[] }> {
  const left = [...messages];
  const pauses: number[] = [];
  const work = async (): Promise<string> => {
    const message = left.shift();
    if (message !== undefined) throw new Error(message);
    return "rows";
  };
  const result = await repeatOnConflict(work, async (attempt) => {
    pauses.push(attempt);
  }).catch((error: unknown) => error);
  return { result, pauses };
}

test("a transaction that lost to another one is run again", async () => {
  expect(await worked(CONFLICT, CONFLICT)).toEqual({ result: "rows", pauses: [1, 2] });
});

test("five times at most", async () => {
  expect(await worked(...Array.from({ length: 5 }, () => CONFLICT))).toEqual({ result: new Error(CONFLICT), pauses: [1, 2, 3, 4] });
});

test("any other fault is final", async () => {
  expect(await worked("Syntax error: Unexpected end of script")).toEqual({
    result: new Error("Syntax error: Unexpected end of script"),
    pauses: [],
  });
});
