import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BigQuery } from "@google-cloud/bigquery";
import { Storage } from "@google-cloud/storage";
import { Compute } from "google-auth-library";
import * as v from "valibot";
import type { CountryTable } from "../../shared/countries/country-rules.ts";
import { type Config, parseConfig } from "../../shared/runtime/config.ts";
import { messageOf } from "../../shared/runtime/error-message.ts";
import { readCountryFile } from "../country-file.ts";
import type { ImportRequest } from "./arguments.ts";
import { ImportError } from "./import-error.ts";

/** The target of an import: a warehouse and the rules of its countries. */
export interface Target {
  /** Has no location: the client would send it in load jobs, whose API has no such field. Load jobs run in their dataset's location. */
  readonly bigquery: BigQuery;
  /** The location of queries. */
  readonly location: string;
  readonly countries: CountryTable;
}

/** A target that was opened for one import. */
interface OpenTarget extends Target {
  readonly storage: Storage;
  /** The configuration of the functions that would load into this target, for what they share with the import. */
  readonly config: () => Promise<Config>;
}

const Ready = v.object({
  project: v.string(),
  bigquery_endpoint: v.string(),
  metadata_host: v.string(),
  countries_file: v.string(),
  storage_endpoint: v.string(),
  landing_bucket: v.string(),
});

const BUILT_IN = new URL("../../infra/countries.json", import.meta.url);
const LOCAL_LOCATION = "europe-north1";

/** Opens the warehouse of a request. Throws an ImportError if it does not answer or its country rules cannot be read. */
export async function openTarget({ target, countriesFile }: Pick<ImportRequest, "target" | "countriesFile">): Promise<OpenTarget> {
  if (target.kind === "project") {
    const { project: projectId, location } = target;
    const countries = readCountries(countriesFile ?? BUILT_IN);
    const config = async (): Promise<Config> => parseConfig({ ...variablesOf(projectId), ENVIRONMENT: "prod", REGION: location });
    return { bigquery: new BigQuery({ projectId }), location, countries, storage: new Storage({ projectId }), config };
  }
  const ready = readReady(target.stateDirectory);
  await assertAnswers(ready.bigquery_endpoint, target.stateDirectory);
  // Loads run as the loader's account. Its client reads these variables to find the local metadata server, which issues its token.
  Object.assign(process.env, {
    GCE_METADATA_HOST: ready.metadata_host,
    METADATA_SERVER_DETECTION: "assume-present",
    GOOGLE_APPLICATION_CREDENTIALS: "",
  });
  const authClient = new Compute({ serviceAccountEmail: `loader@${ready.project}.iam.gserviceaccount.com` });
  const bigquery = new BigQuery({ projectId: ready.project, apiEndpoint: ready.bigquery_endpoint, authClient });
  const { project: projectId, storage_endpoint: apiEndpoint } = ready;
  return {
    bigquery,
    location: LOCAL_LOCATION,
    countries: readCountries(countriesFile ?? ready.countries_file),
    storage: new Storage({ projectId, apiEndpoint, useAuthWithCustomEndpoint: true, authClient }),
    config: async () => {
      const { token } = await authClient.getAccessToken();
      const addresses = { BIGQUERY_URL: ready.bigquery_endpoint, STORAGE_URL: apiEndpoint, LANDING_BUCKET: ready.landing_bucket };
      return parseConfig({
        ...variablesOf(projectId),
        ...addresses,
        ENVIRONMENT: "local",
        REGION: LOCAL_LOCATION,
        ACCESS_TOKEN: token ?? undefined,
      });
    },
  };
}

/** The import exports nothing, but there is no configuration without a bucket for it. */
function variablesOf(project: string) {
  return { GOOGLE_CLOUD_PROJECT: project, EXPORT_BUCKET: `${project}-exports` };
}

function readReady(directory: string): v.InferOutput<typeof Ready> {
  let text: string;
  try {
    text = readFileSync(join(directory, "ready.json"), "utf8");
  } catch {
    throw new ImportError(
      `No local service is running in ${directory}: start one with ./scripts/start, name its folder with --state, or a cloud project with --project`,
    );
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Ready), text);
  if (parsed.success) return parsed.output;
  throw new ImportError(
    `${join(directory, "ready.json")} was not written by a service of this version: start it again with ./scripts/start`,
  );
}

async function assertAnswers(endpoint: string, directory: string): Promise<void> {
  try {
    await fetch(endpoint);
  } catch {
    throw new ImportError(`The local service in ${directory} does not answer at ${endpoint}: start it again with ./scripts/start`);
  }
}

function readCountries(file: string | URL): CountryTable {
  try {
    return readCountryFile(`The country rules in ${file}`, file).countries;
  } catch (error) {
    throw new ImportError(messageOf(error));
  }
}
