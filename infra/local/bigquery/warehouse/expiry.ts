import type { QueryEngine } from "../jobs/query-engine.ts";
import type { Partitioning, TableInfo } from "../model.ts";
import { quoteName } from "../sql/sql-type.ts";
import { sourceName, tableName } from "./catalog.ts";

/** Removes expired tables and partitions. */
export async function expire(
  engine: Pick<QueryEngine, "catalog" | "database" | "definitions" | "locks" | "changed" | "now">,
): Promise<void> {
  const now = engine.now();
  for (const { id } of engine.catalog.datasets())
    for (const { info, expirationTime } of engine.catalog.tables(id)) {
      const isOver = expirationTime !== undefined && expirationTime <= now;
      if (!isOver && info.partitioning?.expirationMs === undefined) continue;
      await engine.locks.holding(["definitions", tableName(info.ref)], async () => {
        if (engine.catalog.table(info.ref) === undefined) return;
        if (isOver) await engine.database.use((connection) => engine.definitions.dropTable(connection, info.ref));
        else if (info.partitioning) await expirePartitions(engine, info, info.partitioning, now);
      });
    }
}

async function expirePartitions(
  engine: Pick<QueryEngine, "database" | "changed">,
  info: TableInfo,
  { column, unit, expirationMs = 0 }: Partitioning,
  now: number,
): Promise<void> {
  const oldest = `epoch_ms(${now - expirationMs})`;
  const { rowsChanged } = await engine.database.use((connection) =>
    connection.run(`DELETE FROM ${sourceName(info.ref)} WHERE date_trunc('${unit}', ${quoteName(column)}) < ${oldest}`),
  );
  if (rowsChanged > 0) engine.changed(info.ref);
}
