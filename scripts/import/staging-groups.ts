/** A staging table of as many rows is billed as BigQuery's least, 10 MB, each time that a transaction reads it. */
export const STAGED_ROWS_MAX = 200_000;
export const STAGED_BATCHES_MAX = 100;

/** Cuts batches, in their order, into those that are staged together: a load job takes its time however little it loads. */
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
