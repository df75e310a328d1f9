import { describe, expect, inject, it } from "vitest";
import { sendRaw } from "../infra/testing/raw-request.ts";
import { call, keyOf, newCustomer, ready } from "../infra/testing/service.ts";
import { scheduleFunctions, topicFunctions } from "./workers.ts";

const TARGETS = [
  ...[
    "//[",
    "//",
    "///",
    "//:99999/",
    "/\\[",
    "/@[:x",
    "/..//[",
    "/%",
    "/%ff",
    "/?%",
    "*",
    "x:",
    "http://",
    "http://[/",
    "http://a:99999/",
  ],
  ...["http://localhost/%", "http://localhost//[", "/computeMetadata/v1/%", "/v1/projects/%/serviceAccounts/%", "/v1/projects/%/topics"],
  ...["/bigquery/v2/projects/%", "/bigquery/v2/projects/%/datasets/%", "/storage/v1/b/%/o/%", "/upload/storage/v1/b/%/o", "/console/%"],
  "/emulator/v1/projects/%/databases/x/documents",
];
const METHODS = ["GET", "POST", "DELETE"];

/** `127.0.0.1:port` of everything that speaks HTTP, by its name. Google's emulators are not ours. */
function addresses(): Record<string, string> {
  const { users_base_url, data_base_url, storage_endpoint, bigquery_endpoint, firestore_admin_endpoint, functions } = ready;
  const urls = { users_base_url, data_base_url, storage_endpoint, bigquery_endpoint, firestore_admin_endpoint, ...functions };
  const engines = { firestore: ready.firestore_host, pubsub: ready.pubsub_host, metadata: ready.metadata_host };
  const otlp = inject("otlp");
  return { ...Object.fromEntries(Object.entries({ ...urls, otlp }).map(([name, url]) => [name, new URL(url).host])), ...engines };
}

describe("every HTTP port of the local cloud", () => {
  it("answers hostile request lines without a failure, and serves on", async () => {
    const failures: string[] = [];
    const send = async (name: string, address: string): Promise<void> => {
      for (const target of TARGETS)
        for (const method of METHODS) {
          const { status } = await sendRaw({ address, method, target });
          // Not implemented is what the APIs say of methods that they do not serve.
          if (status < 200 || (status >= 500 && status !== 501)) failures.push(`${name} ${method} ${target}: ${status}`);
        }
    };
    // They do not look at the target: every request to a sweep runs it, and a worker answers 500 to what is not a message.
    const events = [...scheduleFunctions.map(({ scheduleName }) => scheduleName), ...topicFunctions.map(({ eventName }) => eventName)];
    const asked = Object.entries(addresses()).filter(([name]) => !events.includes(name));
    await Promise.all(asked.map(([name, address]) => send(name, address)));
    expect(failures).toEqual([]);
    const customer = await newCustomer();
    expect(await call("users", "GET", "/users/me", { key: keyOf(customer) })).toMatchObject({ status: 200 });
  });

  it("refuses hosts that are not this machine: a web page of a name that resolves to it is of another origin", async () => {
    const headers = ["Metadata-Flavor: Google", "Origin: http://evil.example"];
    const target = "/computeMetadata/v1/instance/service-accounts/default/token";
    const answers = await Promise.all(
      Object.entries(addresses()).map(async ([name, address]) => {
        const { port } = new URL(`http://${address}`);
        const { status } = await sendRaw({ address, method: "GET", target, host: `evil.example:${port}`, headers });
        return [name, status];
      }),
    );
    expect(answers.filter(([, status]) => status !== 403)).toEqual([]);
  });

  it("deletes no documents without a token", async () => {
    const target = `/emulator/v1/projects/${ready.project}/databases/absent/documents`;
    expect(await sendRaw({ address: ready.firestore_host, method: "DELETE", target })).toMatchObject({ status: 401 });
  });
});
