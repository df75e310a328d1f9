import * as v from "valibot";
import { expect, it } from "vitest";
import { JobMessage } from "./job-message.ts";

const MESSAGE = { job_id: "5d3a8f60-7a53-4d5a-9c1f-0d6a3a1c2b11", attempt: 1, step: 2 };

it("a message of a newer release is read without the members that this one does not know", () => {
  expect(v.parse(JobMessage, { ...MESSAGE, priority: "high" })).toEqual(MESSAGE);
});

it.each([{}, { ...MESSAGE, attempt: "1" }, { ...MESSAGE, job_id: "x" }])("%j is no message", (message) => {
  expect(v.is(JobMessage, message)).toBe(false);
});
