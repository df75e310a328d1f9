import type { CountryRules, CountryTable } from "../../../shared/countries/country-rules.ts";
import { PRODUCTS } from "../../../shared/products/catalogue.ts";
import type { Product } from "../../../shared/products/product.ts";
import {
  dataVersionsStatement,
  exportStatement,
  type ProductQuery,
  rowsStatement,
  summaryStatement,
} from "../../../shared/products/product-query.ts";
import { queryFile, type SqlFile } from "./sql-file.ts";

/** A country that offers every product. */
const COUNTRY = "LAT";
const BUCKET = "populus-exports";
const PART = "results/acmemobility/4d4e84fa-472f-438b-862c-157d4ee6fd62/folder/part-1-";

/** What is sent for the examples of every product: jobs with a preview and exports, previews of a day, estimates. */
export function aggregationFiles(countries: CountryTable): SqlFile[] {
  const rules = countries[COUNTRY];
  if (!rules) throw new Error(`The corpus asks for ${COUNTRY}, which is not in the country table`);
  return PRODUCTS.flatMap((product) => [
    ...Object.entries(product.examples(rules)).flatMap(([example, { query }]) => jobFiles(`${product.name}-${example}`, query())),
    ...measureFiles(product, rules),
  ]);
}

/** A preview of each measure of a product, in each bucket that its examples have. */
function measureFiles({ name, measures, examples, open }: Product, rules: CountryRules): SqlFile[] {
  const byBucket = new Map(Object.values(examples(rules)).map(({ request }) => [request.activity_type, request]));
  return [...byBucket].flatMap(([bucket, request]) =>
    measures.flatMap((measure) => {
      const prepared = open({ ...request, measure }, rules);
      return prepared ? [queryFile(`${name}-${bucket}-${measure}.preview`, summaryStatement(prepared.query(), "first"))] : [];
    }),
  );
}

/** What is sent for one query: for a preview of a job, for all rows of a day at once, for an export in one of the formats. */
function jobFiles(name: string, query: ProductQuery): SqlFile[] {
  return [
    queryFile(`${name}.preview`, summaryStatement(query, "first")),
    queryFile(`${name}.day`, summaryStatement(query, "all")),
    ...exportFiles(name, query),
  ];
}

/** What jobs with an export send: the summary before it, the export (an estimate sends its rows), the versions after it. */
function exportFiles(name: string, query: ProductQuery): SqlFile[] {
  return [
    queryFile(`${name}.summary`, summaryStatement(query, "none")),
    ...(["csv", "json", "parquet"] as const).map((format) =>
      queryFile(`${name}.export-${format}`, exportStatement(query, format, BUCKET, PART)),
    ),
    queryFile(`${name}.rows`, rowsStatement(query)),
    queryFile(`${name}.versions`, dataVersionsStatement(query)),
  ];
}
