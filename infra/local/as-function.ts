import * as v from "valibot";
import type { Config } from "../../shared/runtime/config.ts";

const Tokens = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/** Returns the environment variable with the tokens of the functions' accounts, by the function's name. */
export function functionTokens(tokens: Readonly<Record<string, string>>): { readonly FUNCTION_TOKENS: string } {
  return { FUNCTION_TOKENS: JSON.stringify(tokens) };
}

/**
 * Returns the configuration of one of the functions that share a process: with the token of its own account, as the platform would give it.
 * Unchanged if it has a token already, and where Google's emulators run, which know no accounts.
 */
export function asFunction(config: Config, name: string): Config {
  if (config.accessToken !== undefined) return config;
  const { FUNCTION_TOKENS: text } = process.env;
  const accessToken = text === undefined ? undefined : v.parse(Tokens, text)[name];
  return accessToken === undefined ? config : { ...config, accessToken };
}
