import { catalogue } from "../../functions/catalogue.ts";
import { examples } from "../../functions/examples.ts";
import { functionsManifest } from "../../functions/manifest.ts";
import { scheduleFunctions, topicFunctions } from "../../functions/workers.ts";
import countries from "../../infra/countries.json" with { type: "json" };
import manifest from "../../package.json" with { type: "json" };
import { parseCountries } from "../../shared/countries/parse-countries.ts";
import { openapiDocument } from "../../shared/openapi/document.ts";
import { CUSTOM_ROLES, GRANTS } from "../terraform/grants.ts";
import { counters, distributions, LOG_ALERTS } from "../terraform/operations/log-metrics.ts";
import { BURN_RATES, JOURNEYS, OBJECTIVES } from "../terraform/operations/objectives.ts";
import { environmentVariables } from "./environment-variables.ts";
import { sqlCorpus } from "./sql-corpus/corpus.ts";
import { contentOf, parameterTypes } from "./sql-corpus/sql-file.ts";
import { terraformCustomerViews, terraformTables } from "./terraform-tables.ts";
import { utcOffsets } from "./utc-offsets.ts";

/** Returns the files of `infra/generated` except `quotas.md`: content by path. */
export function generatedFiles(): Map<string, string> {
  const source = {
    endpoints: catalogue,
    examples,
    countries: parseCountries("infra/countries.json", countries),
    version: manifest.version,
  };
  const corpus = sqlCorpus();
  const sql = corpus.map((file) => ({ file: `${file.name}.sql`, kind: file.kind, parameters: parameterTypes(file.statement) }));
  const functions = functionsManifest(catalogue, topicFunctions, scheduleFunctions);
  const names = functions.map(({ name }) => name);
  const logMetrics = { counters: counters(names), distributions: distributions(names), alerts: LOG_ALERTS };
  return new Map([
    ["functions.json", asJson(functions)],
    ["log-metrics.json", asJson(logMetrics)],
    ["objectives.json", asJson({ journeys: JOURNEYS, objectives: OBJECTIVES, burn_rates: BURN_RATES })],
    ["environment-variables.json", asJson(environmentVariables())],
    ["openapi.users.json", asJson(openapiDocument("users", source))],
    ["openapi.data.json", asJson(openapiDocument("data", source))],
    ["grants.json", asJson({ grants: GRANTS, custom_roles: CUSTOM_ROLES })],
    ["utc-offsets.json", asJson(utcOffsets(Object.values(countries).map(({ time_zone }) => time_zone)))],
    ["tables.json", asJson(terraformTables())],
    ["customer-views.json", asJson(terraformCustomerViews())],
    ["sql/manifest.json", asJson(sql)],
    ...corpus.map((file): [string, string] => [`sql/${file.name}.sql`, contentOf(file)]),
  ]);
}

/** JSON as generated files hold it. */
export function asJson(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
