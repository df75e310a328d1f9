import { expect, test } from "vitest";
import { repeatOnConflict } from "./warehouse.ts";

/** BigQuery's message for a transaction that it aborted because of another one. */
const CONFLICT = "Transaction is aborted due to concurrent update against table demo:mobility.odm_daily";

/** Work that fails once per message, then succeeds; `pauses` records the attempts that were followed by a pause. */
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

test("a transaction aborted by a conflict is retried", async () => {
  expect(await worked(CONFLICT, CONFLICT)).toEqual({ result: "rows", pauses: [1, 2] });
});

test("at most five times", async () => {
  expect(await worked(...Array.from({ length: 5 }, () => CONFLICT))).toEqual({ result: new Error(CONFLICT), pauses: [1, 2, 3, 4] });
});

test("any other error is final", async () => {
  expect(await worked("Syntax error: Unexpected end of script")).toEqual({
    result: new Error("Syntax error: Unexpected end of script"),
    pauses: [],
  });
});
