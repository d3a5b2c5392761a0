/**
 * Several statements in one message to Postgres, on plans that it keeps. In the extended protocol all that comes before
 * one Sync is one transaction, unless BEGIN makes it a longer one (PostgreSQL 18, 54.2.4 Pipelining).
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { config } from '../../config.js';
import { sqlStateOf } from './constraints.js';
import type { Statement } from './rows.js';

/** As many as a connection keeps: the plan of a large read takes the server some 200 kB. */
const MOST_KEPT = 48;

/** How the columns of a plan are called and read, once Postgres has said it. */
type Columns = { name: string; read: (text: string) => unknown }[];

/** The names that a connection knows, with their columns, the one used longest ago first. */
const keptBy = new WeakMap<Wire, Map<string, Columns | undefined>>();

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

type Row = Record<string, unknown>;

/**
 * Sends them in one message.
 * @param timeoutMs how long the server may be silent
 * @returns the rows of each, in order
 * @throws DatabaseError of the first that fails: those after it are not run
 */
export const together = (client: pg.Client, statements: readonly Statement[], timeoutMs: number) =>
  new Promise<Row[][]>((resolve, reject) => {
    const message = new Together(client, statements, timeoutMs);
    const answered = (error: Error | null, found?: Row[][]) => (found ? resolve(found) : reject(error));
    (client.query as (message: Together, answered: unknown) => void)(message, answered);
  });

/**
 * Whether a plan that was kept has had its day: its columns have changed, or the server does not know it any more. The
 * same again makes another. (0A000 feature_not_supported, 26000 invalid_sql_statement_name)
 */
export const isOutlived = (error: unknown): boolean => ['0A000', '26000'].includes(sqlStateOf(error) ?? '');

/** A connection of `pg`, as far as a query of one's own writes to it. */
interface Wire {
  stream: { write(message: Buffer): void };
}

interface Sent {
  text: string;
  /** Empty for a plan that is not kept. */
  name: string;
  values: unknown[];
  columns?: Columns | undefined;
  rows: Row[];
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

const DESCRIBE = serialize.describe({ type: 'P', name: '' });
const EXECUTE = serialize.execute({});
const SYNC = serialize.sync();

/**
 * A query of one's own, as `pg` lets one be (pg-cursor is one, too): one write for all of it, no description of columns
 * that are known, and no more of an answer than its rows: a small read costs the API half of what it does with `pg.Query`.
 */
class Together {
  /** Set by `pg`. */
  callback: ((error: Error | null, found?: Row[][]) => void) | undefined;
  private readonly sent: Sent[];
  private answered = 0;
  private failure: Error | undefined;

  constructor(
    private readonly client: pg.Client,
    statements: readonly Statement[],
    readonly query_timeout: number,
  ) {
    // What cannot be sent is found out before half of the message is.
    this.sent = statements.map(({ text, values, kept }) => ({
      text,
      name: kept && config.DATABASE_KEEPS_PLANS ? nameOf(text) : '',
      values: values.map(prepareValue),
      rows: [],
    }));
  }

  get text(): string {
    return this.sent.map(({ text }) => text).join(';\n');
  }

  submit(wire: Wire): null {
    const message: Buffer[] = [];
    for (const sent of this.sent) {
      const { name, text, values } = sent;
      sent.columns = name === '' ? undefined : use(wire, name, message);
      if (!sent.columns) message.push(serialize.parse({ name, text, types: [] }));
      message.push(serialize.bind({ statement: name, values }));
      if (!sent.columns) message.push(DESCRIBE);
      message.push(EXECUTE);
    }
    message.push(SYNC);
    wire.stream.write(Buffer.concat(message));
    return null;
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    const { client } = this;
    const readerOf = client.getTypeParser.bind(client) as (type: number) => (text: string) => unknown;
    this.current.columns = fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { columns = [], rows } = this.current;
    try {
      rows.push(rowOf(columns, fields));
    } catch (error) {
      this.failure ??= error as Error;
    }
  }

  handleCommandComplete(_message: unknown, wire: Wire): void {
    const { name, columns = [] } = this.current;
    if (name !== '') keptBy.get(wire)?.set(name, columns);
    this.answered += 1;
  }

  handleReadyForQuery(): void {
    const { failure } = this;
    if (failure) this.callback?.(failure);
    else
      this.callback?.(
        null,
        this.sent.map(({ rows }) => rows),
      );
  }

  /** How far the server came is not known: whatever was in the message is made anew. */
  handleError(error: Error, wire: Wire): void {
    for (const { name } of this.sent) keptBy.get(wire)?.delete(name);
    this.callback?.(this.failure ?? error);
  }

  private get current(): Sent {
    return this.sent[this.answered] as Sent;
  }
}

function rowOf(columns: Columns, fields: (string | null)[]): Row {
  const row: Row = {};
  for (let at = 0; at < columns.length; at += 1) {
    const { name, read } = columns[at] as Columns[number];
    const text = fields[at] ?? null;
    row[name] = text === null ? null : read(text);
  }
  return row;
}

/** Notes that a name is used. @returns its columns; if the connection does not know it, it is free */
function use(wire: Wire, name: string, message: Buffer[]): Columns | undefined {
  const kept = keptBy.get(wire) ?? new Map<string, Columns | undefined>();
  keptBy.set(wire, kept);
  const columns = kept.get(name);
  kept.delete(name);
  kept.set(name, columns);
  if (columns) return columns;
  // A message that failed may have left it there; to close what is not there is no error.
  message.push(serialize.close({ type: 'S', name }));
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) {
    kept.delete(oldest);
    message.push(serialize.close({ type: 'S', name: oldest }));
  }
  return undefined;
}
