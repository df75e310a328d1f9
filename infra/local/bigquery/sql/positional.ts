/** Returns the name of the nth `?` of a script, from 1. No parameter that is written with `@` can have it. */
export function positionalName(position: number): string {
  return `?${position}`;
}

/** Whether a parameter is one of a script's `?`. */
export function isPositional(name: string): boolean {
  return name.startsWith("?");
}

/** Returns the name of a parameter in DuckDB's SQL, after `$`. A query has either positional parameters or named ones. */
export function duckParameter(name: string): string {
  return name.replace("?", "p");
}
