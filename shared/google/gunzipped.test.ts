import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gunzipped } from "./gunzipped.ts";

const CONTENT = Buffer.from("country_code,people\n".repeat(100_000));

/** A source that is not read to its end by itself: it has no end. */
function endless(): Readable {
  const compressed = gzipSync(CONTENT);
  return new Readable({
    read() {
      this.push(compressed);
    },
  });
}

describe("a compressed stream", () => {
  it("is read decompressed", async () => {
    expect(await buffer(gunzipped(Readable.from([gzipSync(CONTENT)])))).toEqual(CONTENT);
  });

  it("ends when its reader stops early, as for a header alone", async () => {
    const source = endless();
    const closed = new Promise((resolve) => source.once("close", resolve));
    for await (const chunk of gunzipped(source)) {
      expect(chunk.toString()).toMatch(/^country_code/);
      break;
    }
    await closed;
    expect(source.destroyed).toBe(true);
  });

  it("fails with its source", async () => {
    const source = endless();
    source.once("data", () => source.destroy(new Error("The connection broke")));
    await expect(buffer(gunzipped(source))).rejects.toThrow("The connection broke");
  });

  it("that is not compressed fails", async () => {
    await expect(buffer(gunzipped(Readable.from([CONTENT])))).rejects.toThrow("incorrect header check");
  });
});
