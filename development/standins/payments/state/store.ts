/**
 * All rows in memory. They are changed only in synchronous transactions, which are written to the journal atomically.
 */
import { Journal } from './journal.js';
import { TABLES, type Table, type Tables, type Write } from './types.js';

type Maps = { [T in Table]: Map<string, Tables[T]> };

const emptyMaps = (): Maps => Object.fromEntries(TABLES.map((table) => [table, new Map()])) as unknown as Maps;

export class Store {
  private maps = emptyMaps();
  private readonly journal: Journal | null;
  private transactionOpen: { undo: (() => void)[]; writes: Write[] } | null = null;
  private closed = false;
  /** Called with every committed transaction. */
  onCommit: (writes: Write[]) => void = () => {};

  /**
   * Loads the journal from the directory. Rows for which `keep` returns false are dropped. Without a directory nothing
   * is stored.
   */
  constructor(directory: string | undefined, keep: (table: Table, row: Tables[Table]) => boolean = () => true) {
    this.journal = directory === undefined ? null : new Journal(directory);
    let replayed = 0;
    this.journal?.replay((writes) => {
      for (const [table, key, row] of writes) this.set(table, key, row);
      replayed += writes.length;
    });
    for (const [table, key, row] of this.rows()) if (row && !keep(table, row)) this.maps[table].delete(key);
    const live = TABLES.reduce((sum, table) => sum + this.maps[table].size, 0);
    // Compacts only when most of the journal is obsolete, so that ordinary starts stay fast.
    if (replayed > 1000 && replayed > 2 * live) this.journal?.rewrite(this.rows());
  }

  /** Returns a row. Do not change it in place: put a changed copy. */
  get<T extends Table>(table: T, key: string): Tables[T] | undefined {
    return this.maps[table].get(key);
  }

  /** Returns the rows in creation order. */
  all<T extends Table>(table: T): Tables[T][] {
    return [...this.maps[table].values()];
  }

  /** Creates or replaces a row, inside a transaction. */
  put<T extends Table>(table: T, key: string, row: Tables[T]): void {
    this.write(table, key, row);
  }

  /** Deletes a row, inside a transaction. */
  delete(table: Table, key: string): void {
    this.write(table, key, null);
  }

  /** Runs `work`, and undoes all its writes when it throws. */
  transaction<R>(work: () => R): R {
    if (this.closed) throw new Error('the store is closed');
    if (this.transactionOpen) throw new Error('transactions do not nest');
    const current = { undo: [] as (() => void)[], writes: [] as Write[] };
    this.transactionOpen = current;
    try {
      const result = work();
      if (current.writes.length > 0) {
        this.journal?.append(current.writes);
        this.onCommit(current.writes);
      }
      return result;
    } catch (error) {
      for (const undo of current.undo.reverse()) undo();
      throw error;
    } finally {
      this.transactionOpen = null;
    }
  }

  /** Resolves when all committed transactions are on disk. */
  async flush(): Promise<void> {
    await this.journal?.flush();
  }

  /** Deletes all rows. */
  clear(): void {
    this.maps = emptyMaps();
    this.journal?.rewrite([]);
  }

  /** Refuses further transactions and closes the journal. */
  async close(): Promise<void> {
    this.closed = true;
    await this.journal?.close();
  }

  private write(table: Table, key: string, row: Tables[Table] | null): void {
    if (!this.transactionOpen) throw new Error('writes need a transaction');
    const before = this.maps[table].get(key) ?? null;
    this.transactionOpen.undo.push(() => this.set(table, key, before));
    this.transactionOpen.writes.push([table, key, row]);
    this.set(table, key, row);
  }

  private set(table: Table, key: string, row: Tables[Table] | null): void {
    const map = this.maps[table] as Map<string, Tables[Table]>;
    if (row === null) map.delete(key);
    else map.set(key, row);
  }

  private *rows(): Generator<Write> {
    for (const table of TABLES) for (const [key, row] of this.maps[table]) yield [table, key, row];
  }
}
