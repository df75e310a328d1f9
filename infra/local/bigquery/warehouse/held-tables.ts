import type { TableRead, TableRef } from "../model.ts";

/** Tables that the process fills by itself, as `dataset.table`. `ledgers` say in the column `by` about which of their names a row is. */
export interface Holding {
  readonly tables: readonly string[];
  readonly ledgers: readonly string[];
  readonly by: string;
}

/**
 * Tables that nobody sees in part: while the process fills them, whoever reads or changes one waits until it has all its rows. A reader of a
 * ledger waits for the tables whose rows it can see, so for all that the ledger is of, unless it compares their names to texts.
 */
export class HeldTables {
  readonly #holding: Holding;
  readonly #held = new Map<string, PromiseWithResolvers<void>>();

  constructor(holding: Holding = { tables: [], ledgers: [], by: "" }) {
    this.#holding = holding;
    this.hold(holding.tables);
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Holds tables, from now on. */
  hold(tables: readonly string[]): void {
    for (const table of tables) if (!this.#held.has(table)) this.#held.set(table, Promise.withResolvers());
  }

  /** Lets readers and writers of tables go on. */
  release(tables: readonly string[]): void {
    for (const table of tables) {
      this.#held.get(table)?.resolve();
      this.#held.delete(table);
    }
  }

  /** Returns which held tables a statement must wait for. */
  needed(reads: readonly Pick<TableRead, "ref" | "texts">[], writes: readonly TableRef[]): readonly string[] {
    const all = [...reads, ...writes.map((ref) => ({ ref, texts: undefined }))].flatMap(({ ref, texts }) => this.#seenIn(ref, texts));
    return [...new Set(all)].filter((table) => this.#held.has(table));
  }

  #seenIn(ref: TableRef, texts: TableRead["texts"]): readonly string[] {
    const name = `${ref.dataset}.${ref.table}`;
    const { tables, ledgers, by } = this.#holding;
    if (!ledgers.includes(name)) return [name];
    const wanted = texts?.[by];
    return wanted ? tables.filter((table) => wanted.includes(table.slice(table.indexOf(".") + 1))) : tables;
  }

  /** Resolves when none of these tables is held any more. */
  async released(tables: readonly string[]): Promise<void> {
    await Promise.all(tables.map((table) => this.#held.get(table)?.promise));
  }

  /** Resolves when a table is not held any more. A ledger is what it is: each table that is released adds to it. */
  ofRows(ref: TableRef): Promise<void> {
    const name = `${ref.dataset}.${ref.table}`;
    return this.released(this.#holding.ledgers.includes(name) ? [] : [name]);
  }

  /** Resolves when a table, or what a ledger says, is not held any more. */
  ofTable(ref: TableRef): Promise<void> {
    return this.released(this.needed([], [ref]));
  }
}
