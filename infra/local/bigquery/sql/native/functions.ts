import type { DuckDBConnection } from "@duckdb/node-api";
import { geographyFunctions } from "../geography.ts";
import { FINGERPRINTS } from "./fingerprint.ts";
import { FORMAT_TEXT } from "./format-text.ts";
import { JSON_AT_PATH } from "./json.ts";
import { NUMERIC_ARITHMETIC } from "./numeric.ts";
import { PARSE_TIME } from "./parse-time.ts";
import { registerNative } from "./register.ts";
import { TEXT_FUNCTIONS } from "./text.ts";

/** Registers the functions in JavaScript that the macros and the translated SQL call, on a connection, for its whole database. */
export function registerFunctions(connection: DuckDBConnection): void {
  registerNative(connection, [
    ...geographyFunctions(),
    ...TEXT_FUNCTIONS,
    ...JSON_AT_PATH,
    ...PARSE_TIME,
    ...FORMAT_TEXT,
    ...FINGERPRINTS,
    ...NUMERIC_ARITHMETIC,
  ]);
}
