import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ListOptions, ObjectIndex } from "./object-index.ts";
import type { ObjectMetadata } from "./object-metadata.ts";

const names = fc.uniqueArray(fc.string({ unit: fc.constantFrom("a", "b", "/", "\u{1f600}", "\uffee"), minLength: 1, maxLength: 5 }), {
  maxLength: 40,
});
const part = fc.string({ unit: fc.constantFrom("a", "b", "/", "\u{1f600}"), maxLength: 3 });
const options = fc.record({
  prefix: part,
  delimiter: fc.constantFrom("", "/", "b/"),
  startOffset: part,
  endOffset: fc.option(part, { nil: undefined }),
  includeTrailingDelimiter: fc.boolean(),
});

function objectNamed(name: string): ObjectMetadata {
  const time = "2026-01-15T12:00:00.000Z";
  return {
    bucket: "b",
    name,
    contentType: "text/plain",
    generation: 1,
    metageneration: 1,
    size: 0,
    crc32c: "AAAAAA==",
    timeCreated: time,
    updated: time,
  };
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The whole list, computed entry by entry from the definition. */
function listedByDefinition(
  all: readonly string[],
  { prefix = "", delimiter = "", startOffset = "", endOffset, includeTrailingDelimiter = false }: ListOptions,
): Set<string> {
  const matching = all.filter((name) => name.startsWith(prefix) && byBytes(name, startOffset) >= 0);
  const below = matching.filter((name) => endOffset === undefined || byBytes(name, endOffset) < 0);
  const entries = below.flatMap((name) => {
    const end = delimiter === "" ? -1 : name.indexOf(delimiter, prefix.length);
    if (end < 0) return [`object ${name}`];
    const common = name.slice(0, end + delimiter.length);
    return includeTrailingDelimiter && common === name ? [`prefix ${common}`, `object ${name}`] : [`prefix ${common}`];
  });
  return new Set(entries);
}

function listAll(index: ObjectIndex, listOptions: ListOptions, maxResults: number): string[] {
  const entries: string[] = [];
  for (let pageToken: string | undefined, page = 0; page < 100; page++) {
    const { items, prefixes, nextPageToken } = index.list({
      ...listOptions,
      maxResults,
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    expect(items.length + prefixes.length).toBeLessThanOrEqual(maxResults);
    entries.push(...items.map(({ name }) => `object ${name}`), ...prefixes.map((prefix) => `prefix ${prefix}`));
    expect(items.map(({ name }) => name)).toEqual(items.map(({ name }) => name).sort(byBytes));
    if (nextPageToken === undefined) return entries;
    pageToken = nextPageToken;
  }
  throw new Error("the pages do not end");
}

describe("ObjectIndex", () => {
  it("lists each entry once over all pages, as prefix, delimiter and offsets define", () => {
    fc.assert(
      fc.property(names, options, fc.integer({ min: 1, max: 5 }), (all, { endOffset, ...rest }, maxResults) => {
        const listOptions = { ...rest, ...(endOffset === undefined ? {} : { endOffset }) };
        const entries = listAll(new ObjectIndex(all.map(objectNamed)), listOptions, maxResults);
        expect(entries.length).toBe(new Set(entries).size);
        expect(new Set(entries)).toEqual(listedByDefinition(all, listOptions));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("lists an object that ends with the delimiter beside its prefix, also when the page ends between them", () => {
    const index = new ObjectIndex(["a/", "a/b", "c", "d//", "e/"].map(objectNamed));
    const asked = { delimiter: "/", includeTrailingDelimiter: true };
    const { items, prefixes } = index.list(asked);
    expect([items.map(({ name }) => name), prefixes]).toEqual([
      ["a/", "c", "e/"],
      ["a/", "d/", "e/"],
    ]);
    expect(listAll(index, asked, 1)).toEqual(["prefix a/", "object a/", "object c", "prefix d/", "prefix e/", "object e/"]);
    const { nextPageToken = "" } = index.list({ ...asked, maxResults: 1 });
    index.delete("a/");
    expect(index.list({ ...asked, maxResults: 1, pageToken: nextPageToken }).items.map(({ name }) => name)).toEqual(["c"]);
  });

  it("keeps its order through additions and removals", () => {
    fc.assert(
      fc.property(names, names, (added, removed) => {
        const index = new ObjectIndex([]);
        for (const name of added) index.set(objectNamed(name));
        for (const name of removed) index.delete(name);
        const expected = added.filter((name) => !removed.includes(name)).sort(byBytes);
        expect(index.list({}).items.map(({ name }) => name)).toEqual(expected);
      }),
      { seed: 1 },
    );
  });

  it("stays within the prefix for any page token", () => {
    const index = new ObjectIndex(["results/u1/a", "results/u10/b", "results/u2/c"].map(objectNamed));
    for (const text of ["nresults/u0", "nresults/u10/a", "presults/", "n", "p", "dresults/u10/b", "d"]) {
      const pageToken = Buffer.from(text).toString("base64url");
      for (const { name } of index.list({ prefix: "results/u1/", pageToken }).items) expect(name).toBe("results/u1/a");
    }
  });

  it.each(["", "x", "!!", "eHg", Buffer.from("xname").toString("base64url"), Buffer.from([0x6e, 0xff]).toString("base64url")])(
    "rejects %j as a page token",
    (pageToken) => {
      expect(() => new ObjectIndex([]).list({ pageToken })).toThrow(expect.objectContaining({ status: 400 }));
    },
  );

  it("returns at most 1,000 entries per page", () => {
    const index = new ObjectIndex(Array.from({ length: 1001 }, (_, at) => objectNamed(`n${at}`)));
    expect(index.list({ maxResults: 5000 }).items).toHaveLength(1000);
    expect(index.list({}).nextPageToken).toBeDefined();
  });
});
