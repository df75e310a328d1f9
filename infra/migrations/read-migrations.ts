import { readdirSync, readFileSync } from "node:fs";
import { type Migration, parseMigrations } from "./migration.ts";

const FOLDER = new URL("../warehouse/migrations/", import.meta.url);

/** Reads the migrations of this checkout. Throws an Error that lists what is wrong with them. */
export function readMigrations(folder: URL = FOLDER): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  return parseMigrations(files.map((file) => ({ file, text: readFileSync(new URL(file, folder), "utf8") })));
}
