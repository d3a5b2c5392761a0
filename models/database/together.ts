/**
 * Several statements in one message to Postgres, on plans that it keeps. In the extended protocol all that comes before
 * one Sync is one transaction, unless BEGIN makes it a longer one (PostgreSQL 18, 54.2.4 Pipelining).
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { config } from '../../config.js';
import { sqlStateOf } from './constraints.js';
import type { Statement } from './rows.js';

/** As many as a connection keeps: the plan of a large read takes the server some 200 kB. */
const MOST_KEPT = 48;

/** Names that a connection knows, the one used longest ago first. */
const keptBy = new WeakMap<Wire, Set<string>>();

/** The names of texts that came lately. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `m_${createHash('sha1').update(text).digest('base64url')}`;
  // Lists make many texts: what is asked often is soon among them again.
  if (names.size >= 4 * MOST_KEPT) names.clear();
  names.set(text, name);
  return name;
}

/**
 * Sends them in one message.
 * @param timeoutMs how long the server may be silent
 * @returns their results in order
 * @throws DatabaseError of the first that fails: those after it are not run
 */
export const together = (client: pg.Client, statements: readonly Statement[], timeoutMs: number) =>
  new Promise<pg.QueryResult[]>((resolve, reject) => {
    const message = new Together(statements, timeoutMs);
    const answered = (error: Error | null, results: pg.QueryResult | pg.QueryResult[]) =>
      error ? reject(error) : resolve([results].flat());
    (client.query as (message: Together, answered: unknown) => void)(message, answered);
  });

/**
 * Whether a plan that was kept has had its day: its columns have changed, or the server does not know it any more. The
 * same again makes another. (0A000 feature_not_supported, 26000 invalid_sql_statement_name)
 */
export const isOutlived = (error: unknown): boolean => ['0A000', '26000'].includes(sqlStateOf(error) ?? '');

/** What `pg` lets a query of one's own do, as pg-cursor does it. */
interface Wire {
  parse(message: { name: string; text: string; types: number[] }): void;
  bind(message: { statement: string; values: unknown[] }): void;
  describe(message: { type: 'P'; name: '' }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
  stream: { cork(): void; uncork(): void };
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;
const Query = pg.Query as unknown as new (query: { text: string }) => { handleError(error: Error, wire: Wire): void };

class Together extends Query {
  private readonly bound: { text: string; name: string; values: unknown[] }[];

  constructor(
    statements: readonly Statement[],
    readonly query_timeout: number,
  ) {
    super({ text: statements.map(({ text }) => text).join(';\n') });
    // What cannot be sent is found out before half of the message is.
    this.bound = statements.map(({ text, values, kept }) => ({
      text,
      name: kept && config.DATABASE_KEEPS_PLANS ? nameOf(text) : '',
      values: values.map(prepareValue),
    }));
  }

  submit(wire: Wire): null {
    wire.stream.cork();
    for (const { text, name, values } of this.bound) {
      if (!name || !use(wire, name)) wire.parse({ name, text, types: [] });
      wire.bind({ statement: name, values });
      wire.describe({ type: 'P', name: '' });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  /** How far the server came is not known: whatever was in the message is made anew. */
  override handleError(error: Error, wire: Wire): void {
    for (const { name } of this.bound) keptBy.get(wire)?.delete(name);
    super.handleError(error, wire);
  }
}

/** Notes that a name is used. @returns whether the connection knows it already; if not, it is free */
function use(wire: Wire, name: string): boolean {
  const names = keptBy.get(wire) ?? new Set();
  keptBy.set(wire, names);
  const isKnown = names.delete(name);
  names.add(name);
  if (isKnown) return true;
  // A message that failed may have left it there; to close what is not there is no error.
  wire.close({ type: 'S', name });
  const [oldest] = names;
  if (names.size > MOST_KEPT && oldest) {
    names.delete(oldest);
    wire.close({ type: 'S', name: oldest });
  }
  return false;
}
