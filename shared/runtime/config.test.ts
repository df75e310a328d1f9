import { describe, expect, it } from "vitest";
import { parseConfig } from "./config.ts";

const LEAST = { GOOGLE_CLOUD_PROJECT: "populus-dev", ENVIRONMENT: "dev", EXPORT_BUCKET: "exports" };

describe("the configuration", () => {
  it("requires three variables; addresses default to the real services", () => {
    expect(parseConfig(LEAST)).toMatchObject({
      project: "populus-dev",
      environment: "dev",
      region: "europe-north1",
      queueServiceAccount: "queue@populus-dev.iam.gserviceaccount.com",
      accountsProjects: ["populus-dev"],
      databases: { main: "(default)", usage: "usage" },
      addresses: { pubsubRest: "https://pubsub.googleapis.com", tasks: undefined, bigquery: undefined },
    });
  });

  it.each([
    ["GOOGLE_CLOUD_PROJECT", { GOOGLE_CLOUD_PROJECT: undefined }],
    ["ENVIRONMENT", { ENVIRONMENT: "staging" }],
    ["TASKS_ADDRESS", { TASKS_ADDRESS: "localhost" }],
    ["ACCOUNTS_PROJECT", { ACCOUNTS_PROJECT: "populus-dev-delivery, populus-dev-more" }],
    ["INTERACTIVE_BYTES_MAX", { INTERACTIVE_BYTES_MAX: "1e9" }],
    ["INTERACTIVE_RESERVATION", { INTERACTIVE_RESERVATION: "interactive" }],
    ["INTERACTIVE_RESERVATION", { INTERACTIVE_RESERVATION: "projects/slots-admin/locations/EU/reservations/interactive" }],
    ["FIRESTORE_DATABASE", { FIRESTORE_DATABASE: "Restored" }],
    ["FIRESTORE_USAGE_DATABASE", { FIRESTORE_USAGE_DATABASE: "use" }],
    ["FIRESTORE_USAGE_DATABASE", { FIRESTORE_DATABASE: "usage" }],
    ["BYTES_BILLED_MAX", { BYTES_BILLED_MAX: "lots" }],
  ])("with an invalid %s is rejected by the variable's name", (name, change) => {
    expect(() => parseConfig({ ...LEAST, ...change })).toThrow(name);
  });

  it("names the projects of customers' accounts, one or several, in the order of the list", () => {
    const named = (list: string) => parseConfig({ ...LEAST, ACCOUNTS_PROJECT: list }).accountsProjects;
    expect(named("populus-dev-delivery")).toEqual(["populus-dev-delivery"]);
    expect(named("populus-dev-delivery,populus-dev-more")).toEqual(["populus-dev-delivery", "populus-dev-more"]);
  });

  it("reports all errors at once", () => {
    expect(() => parseConfig({})).toThrow(/GOOGLE_CLOUD_PROJECT[\s\S]*ENVIRONMENT[\s\S]*EXPORT_BUCKET/);
  });
});
