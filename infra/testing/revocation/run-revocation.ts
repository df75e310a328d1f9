import * as v from "valibot";
import type { Endpoint } from "../../../shared/http/define-endpoint.ts";
import type { Finding, Outcome, Say } from "../fuzz/finding.ts";
import { createTriedCustomer, type Target, type TriedCustomer } from "../fuzz/target.ts";
import { curlOf, send, type WireRequest } from "../fuzz/wire.ts";
import { type Chance, chanceOf } from "../reference/chance.ts";
import { type Instance, startSecondInstance } from "./second-instance.ts";

/** The extent and targets of a run. */
export interface RevocationOptions {
  /** The number of requests with revoked keys. */
  readonly requests: number;
  readonly seed: number;
  /** The endpoints to call with the keys. Public endpoints show nothing about a key. */
  readonly endpoints: readonly Pick<Endpoint, "api" | "method" | "path" | "auth">[];
  readonly say: Say;
}

const CLIENTS = 8;
/** The number of requests between two rotations. */
const ROTATE_EVERY = 60;
const FINDINGS_MAX = 5;
const LABEL = "load";
const NewKey = v.object({ apiKey: v.string() });

/**
 * Rotates a key repeatedly while eight clients call two instances of the functions with the key and its predecessors. Once a rotation has
 * returned, the old key is invalid at both instances: every later request with it is a 401, and the new key is accepted.
 */
export async function runRevocation(target: Target, { requests, seed, endpoints, say }: RevocationOptions): Promise<Outcome> {
  const admin = await createTriedCustomer(target, { uid: `revoked${seed}`, keyLabel: "admin" });
  const second = await startSecondInstance(target);
  try {
    const instances = [{ users: target.ready.users_base_url, data: target.ready.data_base_url }, second.instance];
    const load: Load = {
      admin,
      instances,
      chance: chanceOf(seed),
      endpoints: endpoints.filter(({ auth }) => auth !== "none"),
      current: "",
      dead: [],
      isRotating: false,
      sinceRotation: 0,
      counts: { rotations: 0, afterwards: 0, letIn: 0, living: 0, inFlight: 0 },
      findings: [],
    };
    await rotate(load);
    const client = async (): Promise<void> => {
      while (load.counts.afterwards < requests && load.findings.length < FINDINGS_MAX) {
        if (load.sinceRotation >= ROTATE_EVERY && !load.isRotating) {
          await rotate(load);
          if (load.counts.rotations % 10 === 0)
            say(`revocation: ${load.counts.afterwards} of ${requests} requests, ${load.findings.length} findings`);
        } else await ask(load);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const { rotations, afterwards, letIn, living, inFlight } = load.counts;
    say(`revocation: of ${afterwards} requests that began after their key's rotation ${letIn} were accepted; ${rotations} rotations`);
    return {
      counts: {
        rotations,
        "requests that began after their key's rotation": afterwards,
        "of these accepted": letIn,
        "requests with the current key": living,
        "of these answered after its rotation": inFlight,
      },
      findings: load.findings,
    };
  } finally {
    await second.stop();
  }
}

interface Load {
  readonly admin: TriedCustomer;
  readonly instances: readonly Instance[];
  readonly chance: Chance;
  readonly endpoints: RevocationOptions["endpoints"];
  current: string;
  /** Keys whose rotation has returned, in order. */
  readonly dead: string[];
  isRotating: boolean;
  sinceRotation: number;
  readonly counts: { rotations: number; afterwards: number; letIn: number; living: number; inFlight: number };
  readonly findings: Finding[];
}

/** Rotates at one of the instances, while the other clients keep using the old key. */
async function rotate(load: Load): Promise<void> {
  load.isRotating = true;
  const { admin, instances, chance } = load;
  const answer = await send({
    base: chance.pick(instances).users,
    method: "POST",
    target: `/users/${admin.uid}/machine-accounts`,
    headers: [
      ["x-api-key", admin.key],
      ["content-type", "application/json"],
    ],
    body: Buffer.from(JSON.stringify({ keyLabel: LABEL })),
  });
  const made = v.safeParse(NewKey, answer.status < 300 ? JSON.parse(answer.text) : undefined);
  if (!made.success) throw new Error(`The rotation returned ${answer.status}: ${answer.text}`);
  if (load.current !== "") load.dead.push(load.current);
  load.current = made.output.apiKey;
  load.counts.rotations += 1;
  load.sinceRotation = 0;
  load.isRotating = false;
}

/** Sends one request with the current key or a revoked one, mostly the newest revoked one. */
async function ask(load: Load): Promise<void> {
  const { chance, dead, counts, findings } = load;
  load.sinceRotation += 1;
  const old = chance.oneIn(4) ? dead.at(-chance.whole(1, Math.max(1, dead.length))) : dead.at(-1);
  const isDead = old !== undefined && chance.oneIn(2);
  const key = isDead ? old : load.current;
  const request = requestWith(load, key);
  const { status, text } = await send(request);
  const isRefused = status === 401;
  if (isDead) {
    counts.afterwards += 1;
    if (isRefused) return;
    counts.letIn += 1;
    findings.push({ what: [`a revoked key got status ${status}: ${text.slice(0, 200)}`], reproduction: curlOf(request) });
    return;
  }
  counts.living += 1;
  if (key !== load.current) counts.inFlight += 1;
  // A key rotated during its request may be accepted or not. During a rotation the outcome is unknown.
  else if (isRefused && !load.isRotating) findings.push({ what: ["the current key was refused"], reproduction: curlOf(request) });
}

/** Returns a request to a random endpoint and instance. Only its key is right: it has no body and unknown ids. */
function requestWith({ chance, endpoints, instances }: Load, key: string): WireRequest {
  const { api, method, path } = chance.pick(endpoints);
  return {
    base: chance.pick(instances)[api],
    method,
    target: path.replaceAll(/\{\w+\}/g, "x"),
    headers: [["x-api-key", key]],
    body: undefined,
  };
}
