import { expect, it } from "vitest";
import { type Redelivery, survivedSeconds } from "./redelivery.ts";

it("a failing message is redelivered for the sum of its backoffs", () => {
  const redelivery = (attemptsMax: number): Redelivery => ({ attemptsMax, backoffSeconds: { minimum: 10, maximum: 60 } });
  expect([1, 2, 3, 4, 5, 6].map((attempts) => survivedSeconds(redelivery(attempts)))).toEqual([0, 10, 30, 70, 130, 190]);
});
