import { once } from "node:events";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { openTarget } from "./target.ts";
import { madeFile } from "./testing/made-files.ts";

const local = (stateDirectory: string) => ({ target: { kind: "local", stateDirectory }, countriesFile: undefined }) as const;

/** Returns a port without a listener. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

describe("a missing target is reported in one line", () => {
  test("no service", async () => {
    const directory = dirname(madeFile("not-ready.json", "{}"));
    await expect(openTarget(local(directory))).rejects.toThrow(
      `No local service is running in ${directory}: start one with ./scripts/start, name its folder with --state, or a cloud project with --project`,
    );
  });

  test("a service that was killed", async () => {
    const bigquery_endpoint = `http://127.0.0.1:${await freePort()}`;
    const ready = {
      project: "demo-local",
      bigquery_endpoint,
      storage_endpoint: bigquery_endpoint,
      landing_bucket: "landing",
      metadata_host: "127.0.0.1:1",
      countries_file: "none",
    };
    const directory = dirname(madeFile("ready.json", JSON.stringify(ready)));
    await expect(openTarget(local(directory))).rejects.toThrow(`The local service in ${directory} does not answer at ${bigquery_endpoint}`);
  });

  test("a ready.json that no service wrote", async () => {
    await expect(openTarget(local(dirname(madeFile("ready.json", "{}"))))).rejects.toThrow("was not written by a service");
    await expect(openTarget(local(dirname(madeFile("ready.json", "half a fi"))))).rejects.toThrow("was not written by a service");
  });
});

describe("country rules", () => {
  const project = { kind: "project", project: "populus-dev", location: "europe-north1" } as const;

  test("of a cloud project are the built-in ones, or those of a file", async () => {
    expect(Object.keys((await openTarget({ target: project, countriesFile: undefined })).countries)).toContain("NOR");
    const file = madeFile("usa.json", JSON.stringify({ USA: { name: "United States", time_zone: "America/New_York", protected: true } }));
    expect(Object.keys((await openTarget({ target: project, countriesFile: file })).countries)).toEqual(["USA"]);
  });

  test("that cannot be read are rejected", async () => {
    const rejected = (countriesFile: string) => expect(openTarget({ target: project, countriesFile })).rejects;
    await rejected("/nowhere.json").toThrow("The country rules in /nowhere.json: there is no such file");
    await rejected(madeFile("half.json", '{"USA": {')).toThrow("half.json is not valid JSON: Expected property name or '}'");
    await expect(openTarget({ target: project, countriesFile: madeFile("page.json", "# Populus\n\nDelivers") })).rejects.toThrow(
      /page\.json is not valid JSON: Unexpected token '#'$/,
    );
    await rejected(madeFile("list.json", "[]")).toThrow("list.json is not a table of country rules: it must be an object by country code");
  });
});
