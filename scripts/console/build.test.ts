import { beforeAll, describe, expect, test } from "vitest";
import { buildConsole } from "./build.ts";

/** What the code of a library has in it, and that of no page. */
const LIBRARIES = { "map-view/map-view.tsx": "maplibregl-canvas", "maps/draw-tool.ts": "TerraDraw" };

/** The code of each part that is loaded when it is needed, by the source that it begins with. */
let parts: Readonly<Record<string, string>>;

beforeAll(async () => {
  const built = await buildConsole(process.cwd());
  const texts = new Map(built.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]));
  parts = Object.fromEntries(
    Object.entries(built.parts).map(([source, names]) => [source, names.map((name) => texts.get(name)).join("\n")]),
  );
});

describe("the parts of the console", () => {
  test.each(Object.entries(LIBRARIES))("%s has its library", (source, code) => {
    expect(parts[source]).toContain(code);
  });

  test("no page waits for a library of maps: on a slow connection its lists would come half a minute later", () => {
    const pages = Object.entries(parts).filter(([source]) => source.endsWith("-page.tsx"));
    expect(pages.map(([source]) => source).sort()).toEqual(
      ["data", "explore", "jobs", "keys", "maps"].map((page) => `${page}/${page}-page.tsx`),
    );
    for (const [source, code] of pages) for (const library of Object.values(LIBRARIES)) expect(code.includes(library), source).toBe(false);
  });
});
