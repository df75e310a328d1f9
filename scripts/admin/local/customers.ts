import { Firestore } from "@google-cloud/firestore";
import { keyHash } from "../../../shared/accounts/api-key.ts";
import type { ApiKey } from "../../../shared/accounts/api-keys.ts";
import { createCustomer, newUid } from "../../../shared/accounts/customer-lifecycle.ts";
import { type Customer, DEFAULT_ALLOW, DEFAULT_LIMITS } from "../../../shared/accounts/customers.ts";
import { createKey, newApiKey } from "../../../shared/accounts/machine-accounts.ts";
import type { Config } from "../../../shared/runtime/config.ts";
import { personalDatasetName } from "../dataset-names.ts";
import { ignoreExisting } from "./ignore-existing.ts";

/** A customer of the local service, as in `ready.json`. */
export interface LocalCustomer {
  readonly uid: string;
  readonly name: string;
  readonly default_country: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** What a new customer of the local service has, and its keys by label. */
export interface Account {
  readonly name: string;
  readonly countries: readonly string[];
  readonly defaultCountry: string;
  readonly limits?: Partial<Customer["limits"]>;
  readonly allow?: Customer["allow"];
  /** Whether the caller makes its datasets, so that it need not ask for its personal one. */
  readonly hasDatasets?: boolean;
  readonly keys: Readonly<Record<string, Pick<ApiKey, "service" | "scopes" | "machineAccountAdmin">>>;
}

/** IAM's status for an account that already exists. */
const CONFLICT = 409;

/** The configuration that identifies a deployment's customers. */
type Identifying = Pick<Config, "project" | "accountsProjects" | "databases" | "environment">;

/** Draws the uid and the keys of a new customer. */
export function drawCustomer({ name, defaultCountry, keys }: Account): LocalCustomer {
  const drawn = Object.keys(keys).map((keyLabel) => [keyLabel, newApiKey()]);
  return { uid: newUid(), name, default_country: defaultCountry, keys: Object.fromEntries(drawn) };
}

/** Creates the missing parts of a customer, its keys and its service accounts. Returns `drawn`, the holder's credentials. */
export async function provisionCustomer(
  config: Identifying,
  metadataHost: string,
  account: Account,
  drawn = drawCustomer(account),
): Promise<LocalCustomer> {
  const db = clientOf(config);
  const { uid } = drawn;
  const { name, countries, defaultCountry, allow = DEFAULT_ALLOW } = account;
  const limits = { ...DEFAULT_LIMITS, ...account.limits };
  // A local service has one project.
  const [accountsProject] = config.accountsProjects;
  const personalDataset = account.hasDatasets ? personalDatasetName(uid) : null;
  await ignoreExisting(createCustomer(db, uid, { name, countries, defaultCountry, limits, allow, personalDataset, accountsProject }));
  for (const [keyLabel, grants] of Object.entries(account.keys)) {
    const label = keyLabel.replaceAll("_", "-");
    const apiKey = drawn.keys[keyLabel] ?? newApiKey();
    const making = { uid, keyLabel: label, environment: config.environment, now: new Date(), apiKey };
    const exists = (await db.doc(`apiKeys/${keyHash(config.environment, apiKey)}`).get()).exists;
    if (!exists) await createKey(db, { ...making, decide: () => ({ ...grants, countries }) });
  }
  await Promise.all([
    db.terminate(),
    ...["storage", "warehouse"].map((profile) => createServiceAccount(config, metadataHost, `${profile}-${uid}`)),
  ]);
  return drawn;
}

/** Returns the stored customers that still exist, each with its keys that are still valid. */
export async function livingCustomers(config: Identifying, customers: readonly LocalCustomer[]): Promise<LocalCustomer[]> {
  const db = clientOf(config);
  const exists = async (path: string): Promise<boolean> => (await db.doc(path).get()).exists;
  const found = await Promise.all(
    customers.map(async (customer) => {
      if (!(await exists(`customers/${customer.uid}`))) return [];
      const opens = (key: string): Promise<boolean> => exists(`apiKeys/${keyHash(config.environment, key)}`);
      const keys = await Promise.all(Object.entries(customer.keys).map(async ([name, key]) => ((await opens(key)) ? [[name, key]] : [])));
      return [{ ...customer, keys: Object.fromEntries(keys.flat()) }];
    }),
  );
  await db.terminate();
  return found.flat();
}

/** A client that its caller ends. */
function clientOf({ project, databases }: Identifying): Firestore {
  return new Firestore({ projectId: project, databaseId: databases.main });
}

async function createServiceAccount(config: Identifying, metadataHost: string, accountId: string): Promise<void> {
  const tokenUrl = `http://${metadataHost}/computeMetadata/v1/instance/service-accounts/default/token`;
  const token: unknown = await (await fetch(tokenUrl, { headers: { "metadata-flavor": "Google" } })).json();
  const bearer = token !== null && typeof token === "object" && "access_token" in token ? String(token.access_token) : "";
  const response = await fetch(`http://${metadataHost}/v1/projects/${config.accountsProjects[0]}/serviceAccounts`, {
    method: "POST",
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    body: JSON.stringify({ accountId }),
  });
  if (!response.ok && response.status !== CONFLICT)
    throw new Error(`The service account ${accountId} could not be created: ${response.status} ${await response.text()}`);
}
