/** BigQuery bills a read of a staging table with this many rows as its minimum of 10 MB; every transaction reads it. */
export const STAGED_ROWS_MAX = 200_000;
export const STAGED_BATCHES_MAX = 100;

/** Splits batches, in order, into groups that are staged together: each load job has a fixed overhead. */
export function stagingGroups<Batch extends { readonly rows: number }>(batches: readonly Batch[]): Batch[][] {
  const stages: Batch[][] = [];
  let rows = 0;
  for (const batch of batches) {
    const stage = stages.at(-1);
    rows += batch.rows;
    if (stage && stage.length < STAGED_BATCHES_MAX && rows <= STAGED_ROWS_MAX) stage.push(batch);
    else {
      stages.push([batch]);
      rows = batch.rows;
    }
  }
  return stages;
}
