import type { TableRead, TableRef } from "../model.ts";

/** Tables that the process fills by itself, by name: `ledgers` say in the column `by` about which of them a row is. */
export interface Holding {
  readonly datasets: readonly string[];
  readonly tables: readonly string[];
  readonly ledgers: readonly string[];
  readonly by: string;
}

const NONE: Holding = { datasets: [], tables: [], ledgers: [], by: "" };

/**
 * Tables that nobody sees in part: while the process fills them, whoever reads or changes one waits until it has all its rows. A reader of a
 * ledger waits for the tables whose rows it can see, so for all of them unless it compares their names to texts.
 */
export class HeldTables {
  readonly #holding: Holding;
  readonly #held: Map<string, PromiseWithResolvers<void>>;

  constructor(holding: Holding = NONE) {
    this.#holding = holding;
    this.#held = new Map(holding.tables.map((table) => [table, Promise.withResolvers<void>()]));
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Returns which held tables a statement must wait for. */
  needed(reads: readonly Pick<TableRead, "ref" | "texts">[], writes: readonly TableRef[]): readonly string[] {
    const named = [...reads, ...writes.map((ref) => ({ ref, texts: undefined }))].flatMap(({ ref, texts }) => this.#namedBy(ref, texts));
    return [...new Set(named)].filter((name) => this.#held.has(name));
  }

  #namedBy({ dataset, table }: TableRef, texts: TableRead["texts"]): readonly string[] {
    const { datasets, ledgers, by } = this.#holding;
    if (!datasets.includes(dataset)) return [];
    return ledgers.includes(table) ? (texts?.[by] ?? [...this.#held.keys()]) : [table];
  }

  /** Resolves when none of the tables is held any more. */
  async released(tables: readonly string[]): Promise<void> {
    await Promise.all(tables.map((table) => this.#held.get(table)?.promise));
  }

  /** Resolves when a table, or what a ledger says, is not held any more. */
  ofTable(ref: TableRef): Promise<void> {
    return this.released(this.needed([], [ref]));
  }

  /** Lets readers and writers of tables go on. */
  release(tables: readonly string[]): void {
    for (const table of tables) {
      this.#held.get(table)?.resolve();
      this.#held.delete(table);
    }
  }
}
