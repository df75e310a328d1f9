import { expect, it } from "vitest";
import { type Redelivery, survivedSeconds } from "./redelivery.ts";

it("a failing message is delivered again for as long as its waits add up to", () => {
  const redelivery = (attemptsMax: number): Redelivery => ({ attemptsMax, backoffSeconds: { minimum: 10, maximum: 60 } });
  expect([1, 2, 3, 4, 5, 6].map((attempts) => survivedSeconds(redelivery(attempts)))).toEqual([0, 10, 30, 70, 130, 190]);
});
