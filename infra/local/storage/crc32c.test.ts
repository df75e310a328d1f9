import { CRC32C } from "@google-cloud/storage";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Crc32c } from "./crc32c.ts";

describe("Crc32c", () => {
  it("returns the check value of the polynomial (RFC 3720 appendix B.4)", () => {
    const zeroes = Buffer.from("8a9136aa", "hex").toString("base64");
    expect(new Crc32c().update(Buffer.alloc(32)).digest()).toBe(zeroes);
    expect(new Crc32c().update(Buffer.from("123456789")).digest()).toBe(Buffer.from("e3069283", "hex").toString("base64"));
    expect(new Crc32c().digest()).toBe("AAAAAA==");
  });

  it("agrees with the storage client's own class for any pieces and alignment", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 70 }), { maxLength: 6 }), fc.nat(9), (pieces, shift) => {
        const ours = new Crc32c();
        const theirs = new CRC32C();
        for (const piece of pieces) {
          ours.update(Buffer.concat([Buffer.alloc(shift), piece]).subarray(shift));
          theirs.update(Buffer.from(piece));
        }
        expect(ours.digest()).toBe(theirs.toString());
      }),
      { seed: 1 },
    );
  });
});
