import { expect, it } from "vitest";
import { ProgressLine } from "./progress-line.ts";

function printed(use: (line: ProgressLine) => void): string {
  let text = "";
  use(
    new ProgressLine({
      write: (part) => {
        text += part;
      },
    }),
  );
  return text;
}

it("grows by a step at a time, and ends once", () => {
  const text = printed((line) => {
    line.grow("queued 0 %");
    line.grow("running 0 %");
    line.grow("completed 100 %");
    line.end();
    line.end();
    line.say("GET /results");
  });
  expect(text).toBe("   queued 0 % → running 0 % → completed 100 %\nGET /results\n");
});

it("is ended by a line of another kind, and begins again as a line", () => {
  const text = printed((line) => {
    line.say("POST /data-agg");
    line.grow("queued 0 %");
    line.grow("running 0 %");
    line.say("Making the sample data: places, 5 s …");
    line.say("Making the sample data: places, 10 s …");
    line.grow("completed 100 %");
    line.end();
  });
  expect(text.split("\n")).toEqual([
    "POST /data-agg",
    "   queued 0 % → running 0 %",
    "Making the sample data: places, 5 s …",
    "Making the sample data: places, 10 s …",
    "   completed 100 %",
    "",
  ]);
});
