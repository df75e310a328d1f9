import { connectEngine } from "./engine.ts";
import { Registry } from "./registry.ts";

/**
 * Throws a one-line error unless a database was made in an engine, which would serve any name as an empty database.
 * @param address the engine's `host:port`
 * @param builtIn the databases that every start has
 */
export async function assertDatabaseExists(address: string, project: string, database: string, builtIn: string): Promise<void> {
  if (database === builtIn) return;
  const engine = connectEngine(address, project);
  try {
    const made = (await new Registry(engine).databases()).flatMap(({ id, source }) => (source === null ? [] : [id]));
    if (!made.includes(database))
      throw new Error(`There is no database ${database} here: --database names one of ${[builtIn, ...made.sort()].join(", ")}`);
  } finally {
    engine.close();
  }
}
