import type { CountryRules, CountryTable } from "../../../shared/countries/country-rules.ts";
import { PRODUCTS } from "../../../shared/products/catalogue.ts";
import type { Product } from "../../../shared/products/product.ts";
import {
  dataVersionsStatement,
  exportStatement,
  type ProductQuery,
  previewStatement,
  rowsStatement,
  summaryStatement,
} from "../../../shared/products/product-query.ts";
import { queryFile, type SqlFile } from "./sql-file.ts";

/** A country that offers every product. */
const COUNTRY = "LAT";
const VERSIONS = [{ batch_date: "2026-03-01", version: 1 }];
const BUCKET = "populus-exports";
const PART = "results/acmemobility/4d4e84fa-472f-438b-862c-157d4ee6fd62/folder/part-1-";

/** Returns the statements for the examples of every product: preview jobs, exports, synchronous previews of a day, estimates. */
export function aggregationFiles(countries: CountryTable): SqlFile[] {
  const rules = countries[COUNTRY];
  if (!rules) throw new Error(`The corpus needs ${COUNTRY}, which is not in the country table`);
  return PRODUCTS.flatMap((product) => [
    ...Object.entries(product.examples(rules)).flatMap(([example, { query }]) => jobFiles(`${product.name}-${example}`, query())),
    ...measureFiles(product, rules),
  ]);
}

/** Returns a preview of each measure of a product, in each bucket of its examples. */
function measureFiles({ name, measures, examples, open }: Product, rules: CountryRules): SqlFile[] {
  const byBucket = new Map(Object.values(examples(rules)).map(({ request }) => [request.activity_type, request]));
  return [...byBucket].flatMap(([bucket, request]) =>
    measures.flatMap((measure) => {
      const prepared = open({ ...request, measure }, rules);
      return prepared ? [queryFile(`${name}-${bucket}-${measure}.preview`, summaryStatement(prepared.query(), "first"))] : [];
    }),
  );
}

/** Returns the statements for one query: a preview job, all rows of a day, and exports in each format. */
function jobFiles(name: string, query: ProductQuery): SqlFile[] {
  return [
    queryFile(`${name}.preview`, summaryStatement(query, "first")),
    queryFile(`${name}.day`, previewStatement(query)),
    ...exportFiles(name, query),
  ];
}

/**
 * Returns the statements of export jobs: the summary before, the export in each format, the rows (sent by estimates), and the versions (asked
 * for with the results).
 */
function exportFiles(name: string, query: ProductQuery): SqlFile[] {
  return [
    queryFile(`${name}.summary`, summaryStatement(query, "none")),
    ...(["csv", "json", "parquet"] as const).map((format) =>
      queryFile(`${name}.export-${format}`, exportStatement(query, VERSIONS, { format, bucket: BUCKET, prefix: PART })),
    ),
    queryFile(`${name}.rows`, rowsStatement(query, VERSIONS)),
    queryFile(`${name}.versions`, dataVersionsStatement(query)),
  ];
}
