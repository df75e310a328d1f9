import type { BigQueryError } from "../../model.ts";
import type { Cursor } from "./cursor.ts";

/** The words that begin a statement of BigQuery's scripting. */
const SCRIPTING = [
  "DECLARE",
  "SET",
  "IF",
  "CASE",
  "LOOP",
  "WHILE",
  "REPEAT",
  "FOR",
  "BREAK",
  "LEAVE",
  "CONTINUE",
  "ITERATE",
  "RAISE",
  "RETURN",
];

/** Further statements of BigQuery by their first words, with what works in place of them if something does. */
const OTHERS: readonly (readonly [words: string, instead?: string])[] = [
  ["EXECUTE IMMEDIATE"],
  ["CALL"],
  ["ASSERT"],
  ["TRUNCATE TABLE", "use DELETE FROM … WHERE TRUE"],
  ["LOAD DATA", "start a load job"],
  ["UNDROP SCHEMA"],
  ["GRANT"],
  ["REVOKE"],
];

/** Returns the error of a statement that BigQuery has and the local one has not. Undefined if none begins here. */
export function otherStatement(cursor: Cursor): BigQueryError | undefined {
  if (cursor.isWord("FROM")) return cursor.unsupported("A query that begins with FROM (pipe syntax)", "begin with SELECT");
  const word = SCRIPTING.find((candidate) => cursor.isWord(candidate));
  if (word !== undefined) return cursor.unsupported(`Scripting (${word})`, "send statements one by one, values as query parameters");
  if (cursor.isWord("BEGIN")) return cursor.unsupported("A block of scripting (BEGIN … END)", "send its statements without the block");
  const other = OTHERS.find(([words]) => cursor.isWord(...words.split(" ")));
  return other && cursor.unsupported(...other);
}
