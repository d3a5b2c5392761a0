/**
 * Pipelines several prepared statements in one write. In the extended protocol everything before one Sync is one
 * transaction, unless BEGIN makes it a longer one (PostgreSQL 18, 54.2.4 Pipelining).
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { config } from '../../config.js';
import { sqlStateOf } from './constraints.js';
import type { Statement } from './rows.js';

/** Per connection: the plan of a large read takes the server some 200 kB. */
const MOST_KEPT = 48;

/** Names and parsers of a statement's columns, once Postgres has described them. */
type Columns = { name: string; read: (text: string) => unknown }[];

/** Prepared statements of each connection with their columns, least recently used first. */
const keptBy = new WeakMap<Wire, Map<string, Columns | undefined>>();

/** Names of recent statement texts. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = `m_${createHash('sha1').update(text).digest('base64url')}`;
  // Lists produce many texts; frequent ones soon return to the cache.
  if (names.size >= 4 * MOST_KEPT) names.clear();
  names.set(text, name);
  return name;
}

type Row = Record<string, unknown>;

/** Sends the statements in one pipeline. */
export const together = (client: pg.Client, statements: readonly Statement[], timeoutMs: number) =>
  new Promise<Row[][]>((resolve, reject) => {
    const message = new Together(client, statements, timeoutMs);
    const answered = (error: Error | null, found?: Row[][]) => (found ? resolve(found) : reject(error));
    (client.query as (message: Together, answered: unknown) => void)(message, answered);
  });

/**
 * Whether a prepared statement is stale: its columns changed, or the server lost it. A retry prepares it again.
 * (0A000 feature_not_supported, 26000 invalid_sql_statement_name)
 */
export const isOutlived = (error: unknown): boolean => ['0A000', '26000'].includes(sqlStateOf(error) ?? '');

/** The part of a `pg` connection that a custom query writes to. */
interface Wire {
  stream: { write(message: Buffer): void };
}

interface Sent {
  text: string;
  /** Empty for an unnamed statement. */
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
 * A custom query object for `pg` (as pg-cursor is): one write for all statements, no description of known columns,
 * and no more of an answer than its rows. A small read costs the API half of what it costs with `pg.Query`.
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
    // Serialize values first: an invalid one must fail before anything is sent.
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

  /** The server may have stopped anywhere in the pipeline, so all its statements are prepared again. */
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

/**
 * Marks a prepared statement as used. @returns its columns; undefined if it is not prepared, in which case its name
 * is freed
 */
function use(wire: Wire, name: string, message: Buffer[]): Columns | undefined {
  const kept = keptBy.get(wire) ?? new Map<string, Columns | undefined>();
  keptBy.set(wire, kept);
  const columns = kept.get(name);
  kept.delete(name);
  kept.set(name, columns);
  if (columns) return columns;
  // A failed pipeline may have left it prepared; closing an unknown name is no error.
  message.push(serialize.close({ type: 'S', name }));
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) {
    kept.delete(oldest);
    message.push(serialize.close({ type: 'S', name: oldest }));
  }
  return undefined;
}
