import { BigQueryError } from "../model.ts";

/** The longest text of a GoogleSQL query in characters. Source: https://cloud.google.com/bigquery/quotas#query_jobs */
const CHARACTERS_MAX = 1_048_576;

/** Throws `invalid` for a query's text that BigQuery refuses to read. Unlimited, one text would keep the process busy for seconds. */
export function assertLength({ length }: string): void {
  if (length <= CHARACTERS_MAX) return;
  throw new BigQueryError(
    "invalid",
    `The query is too large (${inThousands(length)} characters, ${length - CHARACTERS_MAX} characters over the limit). The maximum standard SQL query length is ${inThousands(CHARACTERS_MAX)} characters, including comments and white space characters.`,
  );
}

function inThousands(characters: number): string {
  return `${(characters / 1024).toFixed(2)}K`;
}
