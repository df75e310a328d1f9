import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { refuseLostDocuments } from "./lost-documents.ts";
import { persistCustomers } from "./persisted-customers.ts";

/** Makes a data folder whose customers were made, or are about to be. `documents` is what Firestore's file holds; undefined: there is none. */
function dataFolder(made: boolean, documents?: string): string {
  const data = mkdtempSync(join(tmpdir(), "populus-lost-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  persistCustomers(data, { made, monitored: false, customers: [] });
  mkdirSync(join(data, "firestore"));
  if (documents !== undefined) writeFileSync(join(data, "firestore", "state.sqlite"), documents);
  return data;
}

it("customers without Firestore's file, or with an empty one, are told before the start, with what to do", () => {
  const missing = dataFolder(true);
  expect(() => refuseLostDocuments(missing)).toThrow(
    `${missing}/firestore/state.sqlite is missing, and ${missing}/customers.json has customers that were in it. Restore the first from a copy, or delete the second: the next start then makes new customers, and the earlier ones are lost with their maps and jobs`,
  );
  expect(() => refuseLostDocuments(dataFolder(true, ""))).toThrow("state.sqlite is empty, and");
});

it("a folder with its documents, one without customers, and a first start that was killed are no loss", () => {
  const data = dataFolder(true);
  rmSync(join(data, "customers.json"));
  for (const folder of [data, dataFolder(true, "SQLite format 3"), dataFolder(false), dataFolder(false, "")])
    expect(() => refuseLostDocuments(folder)).not.toThrow();
});
