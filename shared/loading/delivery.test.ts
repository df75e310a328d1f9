import { describe, expect, it } from "vitest";
import type { LandedObject } from "../google/landing-bucket.ts";
import { formatOf, refuseUnloadable } from "./batch.ts";
import { BadBatch } from "./batch-fault.ts";
import { broughtBy, deliveryOf, type LandedManifest } from "./delivery.ts";

const FOLDER = "landing/flows_hourly/EST/2026-03-01/";

/** An object that was written in the given minute. Its checksum is `crc32c`, else its name. */
const object = (file: string, minute: number, crc32c = file): LandedObject => ({
  name: `${FOLDER}${file}`,
  generation: String(minute),
  size: 1,
  crc32c,
  createdAt: `2026-03-02T00:${String(minute).padStart(2, "0")}:00.000Z`,
});
const success = (minute: number): LandedManifest => ({ object: object("_SUCCESS", minute), content: undefined });
const manifest = (minute: number, names: readonly string[], replaces: readonly string[] = []): LandedManifest => ({
  object: object(`manifest-${minute}.json`, minute),
  content: { files: names.map((name) => ({ name, crc32c: name })), replaces: [...replaces] },
});
const filesOf = (objects: readonly LandedObject[], manifests: readonly LandedManifest[]) =>
  deliveryOf(objects, manifests).files.map(({ name }) => name.slice(FOLDER.length));

describe("a day", () => {
  const [a, b, late] = [object("a.parquet", 1), object("b.parquet", 2), object("late.parquet", 9)];

  it("has with _SUCCESS the data files that were there by then, and nothing else of the folder", () => {
    const others = [object("_temporary", 1), object(".b.parquet.crc", 1), object("notes.txt", 1), object("_SUCCESS", 5)];
    expect(filesOf([a, b, late, ...others], [success(5)])).toEqual(["a.parquet", "b.parquet"]);
  });

  it("has the files of all manifests, less those that a later one replaces, in whatever order the manifests are found", () => {
    const manifests = [manifest(3, ["a.parquet"]), manifest(4, ["b.parquet"]), manifest(10, ["late.parquet"], ["a.parquet"])];
    for (const found of [manifests, manifests.toReversed()]) expect(filesOf([a, b, late], found)).toEqual(["b.parquet", "late.parquet"]);
    expect(filesOf([a, b, late], manifests.slice(0, 2))).toEqual(["a.parquet", "b.parquet"]);
  });

  it("has nothing of a _SUCCESS that comes after a manifest, and what it brought before one", () => {
    expect(filesOf([a, b], [manifest(3, ["a.parquet"]), success(5)])).toEqual(["a.parquet"]);
    expect(filesOf([a, b, late], [success(5), manifest(10, ["late.parquet"])])).toEqual(["a.parquet", "b.parquet", "late.parquet"]);
  });

  it("has a fault for a named file that is not there, or is another", () => {
    const { files, faults } = deliveryOf([object("a.parquet", 1, "other")], [manifest(3, ["a.parquet", "b.parquet"])]);
    expect(files).toHaveLength(1);
    expect(faults).toMatchObject([
      { file: "a.parquet", says: "has the CRC32C other, its manifest says a.parquet" },
      { file: "manifest-3.json", says: "names b.parquet, which is not in the folder" },
    ]);
  });

  it("has a fault for a _SUCCESS before all files, unless a manifest brings some", () => {
    const faults = [
      { file: "_SUCCESS", line: undefined, says: "brings no files: late.parquet was written after it", right: "_SUCCESS after its files" },
    ];
    expect(deliveryOf([late], [success(5)])).toEqual({ files: [], faults });
    expect(deliveryOf([late], [success(5), manifest(10, ["late.parquet"])])).toEqual({ files: [late], faults: [] });
  });

  it("loses with a manifest the files that it alone brought", () => {
    const manifests = [manifest(3, ["a.parquet"]), manifest(4, ["a.parquet", "b.parquet"])];
    const brought = (one: number) => broughtBy(manifests[one] ?? success(0), [a, b, late], manifests).map(({ name }) => name);
    expect([brought(0), brought(1)]).toEqual([[], [b.name]]);
  });
});

describe("a batch", () => {
  const saysOf = (files: readonly LandedObject[]): unknown => {
    try {
      return formatOf(files);
    } catch (error) {
      return error instanceof BadBatch ? error.faults.map(({ file, says }) => [file, says]) : error;
    }
  };

  it("is of one format, which is told by its files' names", () => {
    expect(saysOf([object("a.csv", 1), object("b.csv.gz", 2)])).toBe("CSV");
    expect(saysOf([object("a.parquet", 1), object("b.parquet", 2)])).toBe("PARQUET");
    expect(saysOf([object("a.parquet", 1), object("b.csv", 2)])).toEqual([["b.csv", "is of another format than the files before"]]);
    expect(saysOf([])).toEqual([[undefined, "The manifest brings no files"]]);
  });

  it("has at most 10,000 files, which one load job takes", () => {
    const files = Array.from({ length: 10_001 }, (_, index) => object(`${index}.csv`, 1));
    expect(() => refuseUnloadable(files.slice(1))).not.toThrow();
    expect(() => refuseUnloadable(files)).toThrow(BadBatch);
  });

  it("has no file with a * in its name, by which a load job would read others too", () => {
    expect(() => refuseUnloadable([object("a.csv", 1), object("[b]?.csv", 1)])).not.toThrow();
    expect(() => refuseUnloadable([object("a.csv", 1), object("a*.csv", 1)])).toThrow(BadBatch);
  });
});
