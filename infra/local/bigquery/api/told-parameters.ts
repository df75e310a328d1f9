/**
 * Returns a query's parameters as a job tells them: values are texts, also those that were sent as numbers or booleans. Clients with types read nothing
 * else.
 */
export function toldParameters(sent: readonly unknown[]): readonly unknown[] {
  const told = JSON.stringify(sent, (name, value: unknown) =>
    name === "value" && (typeof value === "number" || typeof value === "boolean") ? String(value) : value,
  );
  return JSON.parse(told);
}
