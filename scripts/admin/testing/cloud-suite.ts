import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listen } from "../../../infra/local/server.ts";
import { openGoogleRest } from "../google-rest.ts";
import { provisionDatasets } from "../local/datasets.ts";
import { admin, underTest } from "./service-under-test.ts";

const Created = v.object({ uid: v.string(), status: v.string() });

/** A cloud project whose services run at local addresses, with a fake Cloud Logging that records what it receives. */
async function project() {
  const { ready } = underTest();
  const directory = mkdtempSync(join(tmpdir(), "populus-admin-test-"));
  const logged: unknown[] = [];
  const logging = createServer(async (request, response) => {
    logged.push({ path: request.url, asks: request.headers["x-goog-user-project"], ...JSON.parse(await text(request)) });
    response.end("{}");
  });
  vi.stubEnv("LOGGING_URL", `http://127.0.0.1:${await listen(logging)}`);
  vi.stubEnv("FIRESTORE_ADMIN_URL", ready.firestore_admin_endpoint);
  vi.stubEnv("IAM_URL", `http://${ready.metadata_host}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    logging.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const file = join(directory, "terraform", "customers.auto.tfvars.json");
  const where = ["--project", ready.project, "--environment", "dev", "--customers-file", file, "--operator", "ada"];
  return {
    file,
    logged,
    customers: (): unknown => JSON.parse(readFileSync(file, "utf8")),
    run: (...words: string[]) => admin([...words, ...where]),
    json: async <S extends v.GenericSchema>(schema: S, ...words: string[]): Promise<v.InferOutput<S>> => {
      const run = await admin([...words, "--json", ...where]);
      expect(run.failure).toBe(undefined);
      return v.parse(schema, JSON.parse(run.out));
    },
  };
}

/** Creates the customer's service accounts, as a Terraform apply does. */
async function apply(uid: string): Promise<void> {
  const { ready } = underTest();
  const rest = openGoogleRest(ready.project);
  for (const profile of ["storage", "warehouse"])
    await rest("POST", `http://${ready.metadata_host}/v1/projects/${ready.project}/serviceAccounts`, { accountId: `${profile}-${uid}` });
}

/** Tests of the tool against a cloud project, where Terraform creates the resources and the tool only requests them. */
export function cloudSuite(): void {
  describe("in the cloud", () => {
    it("keeps a customer provisioning until Terraform has created its service accounts and its tokens work", async () => {
      const { ready } = underTest();
      const { run, json, customers } = await project();
      const { uid, status } = await json(Created, "customers", "create", "--name", "Acme", "--country", "EST", "--country", "NOR");
      expect(status).toBe("provisioning");
      const entry = {
        name: "Acme",
        environment: "dev",
        countries: ["EST", "NOR"],
        scopes: [],
        scenarios: [],
        accounts_project: ready.project,
      };
      expect(customers()).toEqual({ customers: { [uid]: entry } });
      const key = await run("keys", "create", uid, "first", "--service", "warehouse", "--scope", "realtime");
      expect(key.notes.join("\n")).toContain(`this key mints no tokens until you run npm run admin -- customers activate ${uid}`);
      await run("datasets", "request", uid);
      expect(customers()).toEqual({ customers: { [uid]: { ...entry, scopes: ["realtime", "warehouse"], scenarios: ["B"] } } });
      expect((await run("customers", "activate", uid)).failure).toMatch(
        new RegExp(`Acme stays provisioning: storage-${uid}@\\S+ and warehouse-${uid}@\\S+ do not exist or are disabled`),
      );
      expect((await run("customers", "resume", uid)).out).toBe("Acme is provisioning\n");
      await apply(uid);
      expect(await json(Created, "customers", "activate", uid)).toEqual({ uid, status: "active" });
      const dataset = () => json(v.looseObject({}), "customers", "show", uid);
      expect((await run("customers", "activate", uid)).notes.join("\n")).toContain(`The dataset customer_${uid} is not there yet`);
      expect(await dataset()).toMatchObject({ personalDatasetState: "requested", personalDataset: null });
      await provisionDatasets({ project: ready.project }, ready.bigquery_endpoint, uid);
      await run("customers", "activate", uid);
      expect(await dataset()).toMatchObject({ personalDatasetState: "ready", personalDataset: `customer_${uid}` });
      expect((await run("customers", "delete", uid, "--yes")).notes.join("\n")).toContain("to remove the service accounts");
      expect(customers()).toEqual({ customers: {} });
    });

    it("places a new customer in a project with room, where it stays, tells Terraform and the operator which, and refuses one where all are full", async () => {
      const { ready } = underTest();
      const { run, json, customers } = await project();
      const projects = ["--accounts-project", `${ready.project},demo-more`];
      // The project of the service has customers already.
      const create = (name: string) => [
        ...["customers", "create", "--name", name, "--country", "EST", "--service-accounts-max", "2"],
        ...projects,
      ];
      const { uid } = await json(Created, ...create("Placed"));
      expect(customers()).toMatchObject({ customers: { [uid]: { accounts_project: "demo-more" } } });
      expect((await run("customers", "show", uid)).out).toMatch(/accounts in +demo-more\b/);
      expect((await run("customers", "list")).out).toMatch(new RegExp(`${uid} .* demo-more `));
      expect((await run("customers", "activate", uid)).failure).toContain(`storage-${uid}@demo-more.iam.gserviceaccount.com`);
      const before = customers();
      expect((await run(...create("Homeless"))).failure).toMatch(
        /No project has room for a customer's two service accounts: customers: demo-local has \d+, demo-more has 1; accounts of each at most 2/,
      );
      expect(customers()).toEqual(before);
      await run("scopes", "grant", uid, "country:NOR", ...projects);
      expect(customers()).toMatchObject({ customers: { [uid]: { countries: ["EST", "NOR"], accounts_project: "demo-more" } } });
      await run("customers", "delete", uid, "--yes");
    });

    it("writes a customer that Terraform's file lacks when it is activated, and refuses the other environment's name", async () => {
      const { run, json, customers, file } = await project();
      const { uid } = await json(Created, "customers", "create", "--name", "Acme", "--country", "EST");
      const written = customers();
      rmSync(file);
      const { failure, notes } = await run("customers", "activate", uid);
      expect(failure).toContain("Apply terraform/customers, then try again");
      expect(notes.join("\n")).toContain(`${file} has changed: apply terraform/customers`);
      expect(customers()).toEqual(written);
      const prod = ["--project", underTest().ready.project, "--environment", "prod", "--customers-file", file];
      const other = await admin(["keys", "create", uid, "first", ...prod]);
      expect(other.failure).toBe(`keys create: Acme is a customer of dev, says ${file}: --environment prod is wrong`);
      expect((await run("keys", "list", uid, "--json")).out).toContain('"keys": []');
      expect(customers()).toEqual(written);
      await run("customers", "delete", uid, "--yes");
    });

    it("loses nothing of Terraform's file where commands run at once, and tells of customers of one name that were created so", async () => {
      const { run, json, customers } = await project();
      const twin = () => run("customers", "create", "--name", "Twin", "--country", "EST", "--json");
      const twins = await Promise.all([twin(), twin(), twin()]);
      const uids = twins.map(({ out }) => v.parse(Created, JSON.parse(out)).uid);
      const told = twins.filter(({ notes }) => notes.join("\n").includes("Another customer has the same name"));
      expect(told.length).toBeGreaterThanOrEqual(2);
      const entry = expect.objectContaining({ name: "Twin", countries: ["EST"] });
      expect(customers()).toEqual({ customers: Object.fromEntries(uids.map((uid) => [uid, entry])) });
      const [first = "", second = "", third = ""] = uids;
      await Promise.all([
        ...["NOR", "LAT"].map((country) => run("scopes", "grant", first, `country:${country}`)),
        run("keys", "create", second, "key", "--scope", "realtime"),
        run("customers", "delete", third, "--yes"),
      ]);
      const { customers: left } = v.parse(v.object({ customers: v.record(v.string(), v.looseObject({})) }), customers());
      expect(Object.keys(left).sort()).toEqual([first, second].sort());
      expect([left[first]?.countries, left[second]?.scopes]).toEqual([expect.arrayContaining(["EST", "LAT", "NOR"]), ["realtime"]]);
      for (const uid of [first, second]) await json(v.unknown(), "customers", "delete", uid, "--yes");
    });

    it("keeps a customer provisioning if its token does not open its folder", async () => {
      const { run, json } = await project();
      const { uid } = await json(Created, "customers", "create", "--name", "Acme", "--country", "EST");
      await apply(uid);
      const run404 = await run("customers", "activate", uid, "--export-bucket", "another-bucket");
      expect(run404.failure).toMatch(new RegExp(`its storage token does not open results/${uid}/ of another-bucket: 40[34]`));
    });

    it("writes the audit to Cloud Logging and prints the command that reads it", async () => {
      const { run, json, logged } = await project();
      const { uid } = await json(Created, "customers", "create", "--name", "Acme", "--country", "EST");
      expect(logged).toEqual([
        {
          path: "/v2/entries:write",
          asks: "demo-local",
          logName: "projects/demo-local/logs/operator",
          resource: { type: "global", labels: { project_id: "demo-local" } },
          entries: [
            {
              severity: "NOTICE",
              jsonPayload: {
                message: "audit: customer.create",
                audit: { action: "customer.create", actor: { kind: "operator", name: "ada" }, uid, subject: "Acme" },
              },
            },
          ],
        },
      ]);
      expect((await run("audit", "--uid", uid, "--action", "key", "--since", "2026-11-21")).out).toContain(
        `gcloud logging read 'jsonPayload.audit.action:* AND jsonPayload.audit.uid="${uid}" AND jsonPayload.audit.action=~"^key(\\\\.|$)" AND timestamp>="2026-11-21T00:00:00.000Z"' --project 'demo-local' --format json`,
      );
      // Without a time in the filter, gcloud reads one day.
      expect((await run("audit", "--uid", uid)).out).toContain(`"${uid}"' --project 'demo-local' --freshness 3650d --format json`);
    });

    it("reports the completed action when the audit log cannot be written", async () => {
      const { run } = await project();
      vi.stubEnv("LOGGING_URL", "http://127.0.0.1:9");
      const { failure } = await run("customers", "create", "--name", "Acme", "--country", "EST");
      expect(failure).toMatch(/The action succeeded, but the audit entry could not be written: .*"action":"customer.create"/s);
    });

    it.each([
      ["no environment", ["--project", "demo-local"], /--environment is missing: dev or prod/],
      ["an unknown environment", ["--project", "demo-local", "--environment", "local"], /--environment must be dev or prod, not "local"/],
      ["an invalid project id", ["--project", "X", "--environment", "dev"], /--project "X" is not the id of a project/],
      ["both a project and a state folder", ["--project", "demo-local", "--state", ".local"], /--state and --project exclude each other/],
      ["a state folder with a cloud option", ["--state", ".local", "--environment", "dev"], /--environment requires --project/],
    ])("rejects %s", async (_what, words, says) => {
      expect((await admin(["customers", "list", ...words])).failure).toMatch(says);
    });

    it("rejects an unreadable customers file before it creates anything", async () => {
      const { run, file, json } = await project();
      await json(Created, "customers", "create", "--name", "Acme", "--country", "EST");
      writeFileSync(file, "{");
      const before = (await run("customers", "list", "--json")).out;
      expect((await run("customers", "create", "--name", "Globex", "--country", "EST")).failure).toMatch(
        /variable file \S+ cannot be read/,
      );
      expect((await run("customers", "list", "--json")).out).toBe(before);
    });
  });
}
