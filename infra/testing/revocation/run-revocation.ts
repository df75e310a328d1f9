import { Firestore } from "@google-cloud/firestore";
import * as v from "valibot";
import { setCustomerStatus } from "../../../shared/accounts/customer-lifecycle.ts";
import { changeGrants } from "../../../shared/accounts/keys-admin.ts";
import type { Endpoint } from "../../../shared/http/define-endpoint.ts";
import type { Finding, Outcome, Say } from "../fuzz/finding.ts";
import { createTriedCustomer, type Target, type TriedCustomer } from "../fuzz/target.ts";
import { curlOf, send, type WireRequest } from "../fuzz/wire.ts";
import { type Chance, chanceOf } from "../reference/chance.ts";
import { type ParkedRequest, parkRequest } from "./parked-request.ts";
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
/** A run has at least so many rotations, however many requests a slow machine sends beside each. */
const ROTATIONS_MIN = 10;
/** The number of parked requests at a time. Few, so that they are released before the time of a body is over. */
const PARKED_MAX = 12;
const FINDINGS_MAX = 5;
const LABEL = "load";
/** What is withdrawn, each of these once in a round and in a random order: a short run has every kind as well. */
const KINDS = ["rotation", "rotation", "suspension", "loss of a scope"] as const;
const NewKey = v.object({ apiKey: v.string() });

/**
 * Rotates a key repeatedly while eight clients call two instances of the functions with the key and its predecessors. Once a rotation has
 * returned, the old key is invalid at both instances: every later request with it is a 401, and the new key is accepted. Some requests are
 * parked before a rotation, a suspension or the loss of a scope, and their bodies are completed after it: they are refused as well.
 */
export async function runRevocation(target: Target, { requests, seed, endpoints, say }: RevocationOptions): Promise<Outcome> {
  const admin = await createTriedCustomer(target, { uid: `revoked${seed}`, keyLabel: "admin" });
  const second = await startSecondInstance(target);
  const db = new Firestore({ projectId: target.config.project });
  try {
    const instances = [{ users: target.ready.users_base_url, data: target.ready.data_base_url }, second.instance];
    const load: Load = {
      admin,
      db,
      instances,
      chance: chanceOf(seed),
      endpoints: endpoints.filter(({ auth }) => auth !== "none"),
      current: "",
      dead: [],
      parked: [],
      kinds: [],
      isRotating: false,
      sinceRotation: 0,
      counts: {
        rotations: 0,
        suspensions: 0,
        losses: 0,
        afterwards: 0,
        letIn: 0,
        living: 0,
        inFlight: 0,
        parked: 0,
        parkedIn: 0,
        timedOut: 0,
      },
      findings: [],
    };
    await rotate(load);
    // So that only a revocation can refuse a parked request. Rotations keep the grants.
    const chosen = { uid: admin.uid, keyLabel: LABEL, lastAdminMayGo: false, now: new Date() };
    await changeGrants(db, chosen, (present) => ({ ...present, service: "warehouse", machineAccountAdmin: true }));
    const client = async (): Promise<void> => {
      const isDue = (): boolean => load.counts.afterwards < requests || load.counts.rotations < ROTATIONS_MIN;
      while (isDue() && load.findings.length < FINDINGS_MAX) {
        if (load.sinceRotation >= ROTATE_EVERY && !load.isRotating) {
          await revoke(load);
          if (load.counts.rotations % 10 === 0)
            say(`revocation: ${load.counts.afterwards} of ${requests} requests, ${load.findings.length} findings`);
        } else await ask(load);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    await Promise.all(load.parked.splice(0).map(({ release }) => release()));
    const { rotations, suspensions, losses, afterwards, letIn, living, inFlight, parked, parkedIn, timedOut } = load.counts;
    say(`revocation: of ${afterwards} requests that began after their key's rotation ${letIn} were accepted; ${rotations} rotations`);
    return {
      counts: {
        rotations,
        suspensions,
        "losses of a scope": losses,
        "requests whose body was completed after one of these": parked,
        "of these accepted after it": parkedIn,
        "of these over the time of a body": timedOut,
        "requests that began after their key's rotation": afterwards,
        "of these accepted": letIn,
        "requests with the current key": living,
        "of these answered after its rotation": inFlight,
      },
      findings: load.findings,
    };
  } finally {
    await second.stop();
    await db.terminate();
  }
}

interface Load {
  readonly admin: TriedCustomer;
  readonly db: Firestore;
  readonly instances: readonly Instance[];
  readonly chance: Chance;
  readonly endpoints: RevocationOptions["endpoints"];
  current: string;
  /** Keys whose rotation has returned, in order. */
  readonly dead: string[];
  /** Requests with the current key whose bodies are not whole. */
  readonly parked: (ParkedRequest & { readonly scope: string | undefined })[];
  /** What is still to be withdrawn in this round. */
  readonly kinds: (typeof KINDS)[number][];
  isRotating: boolean;
  sinceRotation: number;
  readonly counts: Record<
    "rotations" | "suspensions" | "losses" | "afterwards" | "letIn" | "living" | "inFlight" | "parked" | "parkedIn" | "timedOut",
    number
  >;
  readonly findings: Finding[];
}

/** Rotates the key, or for a moment suspends its customer or takes its scope, and then completes the parked requests. */
async function revoke(load: Load): Promise<void> {
  load.isRotating = true;
  const { admin, db, chance, counts } = load;
  if (load.kinds.length === 0) load.kinds.push(...KINDS);
  const [kind] = load.kinds.splice(chance.whole(0, load.kinds.length - 1), 1);
  if (kind === "suspension") {
    await setCustomerStatus(db, admin.uid, "suspended");
    counts.suspensions += 1;
    await releaseParked(load, kind, () => 403);
    await setCustomerStatus(db, admin.uid, "active");
  } else if (kind === "loss of a scope") {
    const setScopes = (scopes: readonly "realtime"[]) =>
      changeGrants(db, { uid: admin.uid, keyLabel: LABEL, lastAdminMayGo: false, now: new Date() }, (present) => ({ ...present, scopes }));
    await setScopes([]);
    counts.losses += 1;
    await releaseParked(load, kind, ({ scope }) => (scope === undefined ? undefined : 403));
    await setScopes(["realtime"]);
  }
  await rotate(load);
  await releaseParked(load, "rotation", () => 401);
}

/** Completes all parked requests. Each must be refused with the status that `refusal` returns for it; any will do for undefined. */
async function releaseParked(
  { parked, counts, findings }: Load,
  kind: string,
  refusal: (one: Load["parked"][number]) => number | undefined,
): Promise<void> {
  const release = async (one: Load["parked"][number]): Promise<void> => {
    const expected = refusal(one);
    const status = await one.release();
    if (expected === undefined) return;
    counts.parked += 1;
    if (status === 408) counts.timedOut += 1;
    if (status === expected || status === 408) return;
    counts.parkedIn += 1;
    findings.push({ what: [`got status ${status}; ${one.manner} came after the ${kind}`], reproduction: curlOf(one.request) });
  };
  await Promise.all(parked.splice(0).map(release));
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
  const { request, scope } = requestWith(load, key);
  if (!isDead && !load.isRotating && load.parked.length < PARKED_MAX && chance.oneIn(3)) {
    load.parked.push({ ...parkRequest(request, chance), scope });
    return;
  }
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
function requestWith({ chance, endpoints, instances }: Load, key: string): { request: WireRequest; scope: string | undefined } {
  const { api, method, path, auth } = chance.pick(endpoints);
  const request = {
    base: chance.pick(instances)[api],
    method,
    target: path.replaceAll(/\{\w+\}/g, "x"),
    headers: [["x-api-key", key]] as const,
    body: undefined,
  };
  return { request, scope: auth === "none" ? undefined : auth.scope };
}
