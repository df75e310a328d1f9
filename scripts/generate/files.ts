import { catalogue } from "../../functions/catalogue.ts";
import { functionsManifest } from "../../functions/manifest.ts";
import { scheduleFunctions, topicFunctions } from "../../functions/workers.ts";
import manifest from "../../package.json" with { type: "json" };
import { openapiDocument } from "../../shared/http/openapi.ts";
import { environmentVariables } from "./environment-variables.ts";
import { sqlCorpus } from "./sql-corpus/corpus.ts";
import { contentOf, parameterTypes } from "./sql-corpus/sql-file.ts";
import { terraformCustomerViews, terraformTables } from "./terraform-tables.ts";

/** Returns the files of `infra/generated` except `quotas.md`: content by path. */
export function generatedFiles(): Map<string, string> {
  const corpus = sqlCorpus();
  const sql = corpus.map((file) => ({ file: `${file.name}.sql`, kind: file.kind, parameters: parameterTypes(file.statement) }));
  return new Map([
    ["functions.json", asJson(functionsManifest(catalogue, topicFunctions, scheduleFunctions))],
    ["environment-variables.json", asJson(environmentVariables())],
    ["openapi.users.json", asJson(openapiDocument("users", catalogue, manifest.version))],
    ["openapi.data.json", asJson(openapiDocument("data", catalogue, manifest.version))],
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
