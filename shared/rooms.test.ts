import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES_MAX = 25;
const LINES_MAX = 250;

/** The rooms of shared, top to bottom, and the rooms that each may import from, types included. */
const ROOMS: Readonly<Record<string, string>> = {
  "customer-deletion": "aggregation realtime budgets accounts countries http google runtime",
  aggregation: "jobs budgets products publishing geographies accounts countries http google runtime tracing",
  loading: "products publishing countries google runtime tracing",
  realtime: "maps budgets accounts countries geometry http google runtime",
  maps: "accounts geographies countries geometry http google runtime",
  jobs: "products budgets accounts http google runtime",
  budgets: "accounts http google runtime",
  geographies: "products countries geometry http google runtime",
  products: "publishing countries geometry http google runtime",
  accounts: "countries http google runtime",
  publishing: "countries google runtime",
  openapi: "countries http runtime",
  countries: "geometry http runtime",
  http: "google runtime tracing",
  google: "runtime tracing",
  runtime: "tracing",
  geometry: "",
  tracing: "",
};

const IMPORT = /(?:\bfrom|\bimport\(?)\s*"(\.[^"]+\.ts)"/g;

/** The source files of a folder as paths from the project's folder, without tests and what only tests use. */
function sourcesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|(?:^|\/)testing\//.test(path))
    .map((path) => join(folder, path))
    .sort();
}

/** The project's files that a file imports, as paths from the project's folder. */
function importsOf(file: string): string[] {
  return [...read(file).matchAll(IMPORT)].map(([, path = ""]) => normalize(join(dirname(file), path)));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** The room of a file: `http` for `shared/http/serve.ts`. A file outside of shared has none, and no room may import it. */
function roomOf(file: string): string {
  const [folder, room = "", ...rest] = file.split("/");
  return folder === "shared" && rest.length > 0 ? room : `outside of shared: ${folder}`;
}

describe("a room of shared", () => {
  const sources = sourcesOf("shared");

  it("is listed in the table, and the table lists no other", () => {
    expect([...new Set(sources.map(roomOf))].sort()).toEqual(Object.keys(ROOMS).sort());
  });

  it("may only import rooms listed below it", () => {
    const order = Object.keys(ROOMS);
    const upwards = order.flatMap((room, index) => wordsOf(ROOMS[room]).filter((other) => order.indexOf(other) <= index));
    expect(upwards).toEqual([]);
  });

  it.each(Object.keys(ROOMS))("%s imports only the rooms that the table allows", (room) => {
    const allowed = [room, ...wordsOf(ROOMS[room])];
    const arrows = sources
      .filter((file) => roomOf(file) === room)
      .flatMap((file) => importsOf(file).map((target) => ({ target, arrow: `${file} -> ${target}` })));
    expect(arrows.filter(({ target }) => !allowed.includes(roomOf(target))).map(({ arrow }) => arrow)).toEqual([]);
  });

  it.each(Object.keys(ROOMS))(`%s has no more than ${FILES_MAX} source files`, (room) => {
    expect(sources.filter((file) => roomOf(file) === room).length).toBeLessThanOrEqual(FILES_MAX);
  });
});

it(`no source file of shared or functions is longer than ${LINES_MAX} lines`, () => {
  const lines = (file: string): number => read(file).split("\n").length - 1;
  expect([...sourcesOf("shared"), ...sourcesOf("functions")].filter((file) => lines(file) > LINES_MAX)).toEqual([]);
});

function wordsOf(text = ""): string[] {
  return text.split(" ").filter((word) => word !== "");
}
