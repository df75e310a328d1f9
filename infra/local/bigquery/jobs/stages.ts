/** Rows that one parallel input reads: DuckDB's row group. */
const INPUT_ROWS = 122_880;

interface Stage {
  readonly name: string;
  readonly parallelInputs: number;
  readonly rows: number;
  completed: number;
}

/**
 * The stages of a query as `statistics.query.queryPlan` shows them: one input stage per table read and one output stage. Completed inputs
 * follow DuckDB's own progress and never decrease.
 */
export class Stages {
  readonly #inputs: Stage[] = [];
  readonly #output: Stage = { name: "Output", parallelInputs: 1, rows: 0, completed: 0 };
  #recordsWritten = 0;
  #probe: (() => number) | undefined;

  /** Polls `probe` (a percentage, or -1) whenever the stages are rendered, until it is replaced or cleared. */
  follow(probe: (() => number) | undefined): void {
    this.#advance();
    this.#probe = probe;
  }

  /** Adds the input stages of a statement about to run, from the rows that each of its reads will see. */
  add(rowsOfReads: readonly number[]): void {
    for (const rows of rowsOfReads)
      this.#inputs.push({ name: "Input", parallelInputs: Math.max(1, Math.ceil(rows / INPUT_ROWS)), rows, completed: 0 });
  }

  #advance(): void {
    const percentage = this.#probe?.() ?? -1;
    if (!(percentage > 0)) return;
    for (const stage of this.#inputs)
      stage.completed = Math.max(stage.completed, Math.min(stage.parallelInputs, Math.floor((stage.parallelInputs * percentage) / 100)));
  }

  /** Marks all stages as complete, with `recordsWritten` output rows. */
  complete(recordsWritten: number): void {
    for (const stage of [...this.#inputs, this.#output]) stage.completed = stage.parallelInputs;
    this.#recordsWritten = recordsWritten;
  }

  /** Returns the `queryPlan` of a job that has been running since `startMs`. */
  render(startMs: number, endMs: number | undefined): object[] {
    this.#advance();
    const stages = [...this.#inputs, this.#output];
    const inputsDone = this.#inputs.every((stage) => stage.completed === stage.parallelInputs);
    return stages.map((stage, id) => {
      const status = stage.completed === stage.parallelInputs ? "COMPLETE" : stage === this.#output && !inputsDone ? "PENDING" : "RUNNING";
      const share = stage.completed / stage.parallelInputs;
      const isOutput = stage === this.#output;
      return {
        id: String(id),
        name: `S${String(id).padStart(2, "0")}: ${stage.name}`,
        status,
        ...(status === "PENDING" ? {} : { startMs: String(startMs) }),
        ...(status === "COMPLETE" && endMs !== undefined ? { endMs: String(endMs) } : {}),
        inputStages: isOutput ? this.#inputs.map((_, input) => String(input)) : [],
        parallelInputs: String(stage.parallelInputs),
        completedParallelInputs: String(stage.completed),
        recordsRead: String(isOutput ? this.#recordsWritten : Math.round(stage.rows * share)),
        recordsWritten: String(isOutput ? this.#recordsWritten : Math.round(stage.rows * share)),
        steps: [],
      };
    });
  }
}
