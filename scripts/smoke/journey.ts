import * as v from "valibot";
import { catalogue } from "../../functions/catalogue.ts";
import { LoginResponse } from "../../shared/accounts/login-schemas.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import type { Bases, ProbedRow } from "./probes.ts";

/** Timeout of a request: longer than a function takes to start and answer. */
const PATIENCE_MS = 30_000;
/** What is read after the login, by function. Each answers from Firestore, so that a probe costs no query. */
const READS = ["customers-me", "countries-list", "maps-list", "aggregation-jobs", "realtime-data"] as const;

const Me = v.looseObject({ uid: v.string() });
const Objects = v.looseObject({ items: v.optional(v.array(v.looseObject({ name: v.string() })), []) });

interface Journey {
  readonly bases: Bases;
  readonly key: string;
  /** The URL of Cloud Storage's list of the exports' bucket. Without it, the minted token is not used. */
  readonly objects?: string | undefined;
}

/**
 * Does what a customer does: logs in with a key, reads with the key, and lists its own exports with the minted token. Each answer must be 200
 * and of its endpoint's schema, and all must be about one customer. Changes nothing. The rows say nothing of keys, tokens or content.
 */
export async function journey({ bases, key, objects }: Journey): Promise<ProbedRow[]> {
  const rows: ProbedRow[] = [];
  const step = async (name: string, request: string, run: () => Promise<string | undefined>): Promise<void> => {
    const startedAt = performance.now();
    const fault = await run().catch((error: unknown) => `no answer: ${messageOf(error)}`);
    const said = `${fault === undefined ? "ok" : "wrong"}, ${Math.round(performance.now() - startedAt)} ms`;
    rows.push({ name, request, withKey: { said, ...(fault === undefined ? {} : { fault }) } });
  };
  const ofEndpoint = (wanted: string, judge: (body: unknown) => string | undefined = () => undefined) => {
    const endpoint = catalogue.find(({ name }) => name === wanted);
    if (!endpoint) throw new Error(`There is no function ${wanted}`);
    const { name, api, method, path, responses } = endpoint;
    return step(name, `${method} ${api} ${path}`, async () => {
      const answer = await ask(bases[api] + path, method, { "x-api-key": key });
      const schema = responses[200];
      if (answer.status !== 200 || !schema) return `${answer.status} instead of 200`;
      return v.is(schema, answer.body) ? judge(answer.body) : "an answer of another form than its schema";
    });
  };
  let login: v.InferOutput<typeof LoginResponse> | undefined;
  await ofEndpoint("auth-login", (body) => {
    login = v.parse(LoginResponse, body);
    return undefined;
  });
  for (const name of READS)
    await ofEndpoint(name, (body) =>
      name === "customers-me" && v.parse(Me, body).uid !== login?.userId ? "another customer than the login's" : undefined,
    );
  if (objects === undefined) return rows;
  await step("Cloud Storage", "GET storage results/{uid}/", async () => {
    if (!login) return "there is no token";
    const prefix = `results/${login.userId}/`;
    const url = `${objects}?${new URLSearchParams({ prefix, maxResults: "10" })}`;
    const { status, body } = await ask(url, "GET", { authorization: `Bearer ${login.accessToken}` });
    if (status !== 200) return `${status} instead of 200`;
    return v.parse(Objects, body).items.every(({ name }) => name.startsWith(prefix)) ? undefined : "objects of another customer";
  });
  return rows;
}

async function ask(url: string, method: string, headers: Readonly<Record<string, string>>): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, { method, headers, redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}
