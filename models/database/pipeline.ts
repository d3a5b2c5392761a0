/**
 * Sends several prepared statements to Postgres in one write (a pipeline). In the extended protocol all statements
 * before one Sync form one transaction, unless a BEGIN among them opens a longer one (PostgreSQL 18, 54.2.4
 * Pipelining).
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { config } from '../../config.js';
import { sqlStateOf } from './constraints.js';
import type { Statement } from './rows.js';

/**
 * Maximum number of prepared statements per connection. The plan of a large read takes about 200 kB of the server's
 * memory.
 */
const MAX_PREPARED = 48;

/** Name and parser of each column of a statement. Known once Postgres has described the statement. */
type Columns = { name: string; read: (text: string) => unknown }[];

/** LRU cache of the prepared statements of each connection, with their columns, least recently used first. */
const preparedOn = new WeakMap<Wire, Map<string, Columns | undefined>>();

/** Cache of the names of recent statement texts. */
const namesByText = new Map<string, string>();

function nameOf(text: string): string {
  const cached = namesByText.get(text);
  if (cached) return cached;
  const name = `m_${createHash('sha1').update(text).digest('base64url')}`;
  // Lists produce many different query texts. The cache is simply cleared when full, because frequent texts soon return
  // to it.
  if (namesByText.size >= 4 * MAX_PREPARED) namesByText.clear();
  namesByText.set(text, name);
  return name;
}

type Row = Record<string, unknown>;

/** Sends the statements in one pipeline. */
export const sendPipelined = (client: pg.Client, statements: readonly Statement[], timeoutMs: number) =>
  new Promise<Row[][]>((resolve, reject) => {
    const query = new PipelinedQuery(client, statements, timeoutMs);
    const onResult = (error: Error | null, results?: Row[][]) => (results ? resolve(results) : reject(error));
    (client.query as (message: PipelinedQuery, answered: unknown) => void)(query, onResult);
  });

/**
 * Reports whether a prepared statement is stale: its columns changed, or the server lost it. A retry prepares it again
 * (0A000 feature_not_supported, 26000 invalid_sql_statement_name).
 */
export const isStalePlan = (error: unknown): boolean => ['0A000', '26000'].includes(sqlStateOf(error) ?? '');

/** The part of a `pg` connection that a custom query writes to. */
interface Wire {
  stream: { write(message: Buffer): void };
}

interface SentStatement {
  text: string;
  /** Name of the prepared statement; empty for a statement that is not prepared. */
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
 * A custom query object for `pg` (like pg-cursor). It writes all statements at once, does not ask for the columns of a
 * statement whose columns are known, and reads nothing but rows from the response. A small read costs the API half of
 * what `pg.Query` costs.
 */
class PipelinedQuery {
  /** `pg` sets this function before it submits the query. */
  callback: ((error: Error | null, results?: Row[][]) => void) | undefined;
  private readonly sent: SentStatement[];
  private completed = 0;
  private failure: Error | undefined;

  constructor(
    private readonly client: pg.Client,
    statements: readonly Statement[],
    readonly query_timeout: number,
  ) {
    // Values are serialized before anything is sent, so that an invalid value fails here.
    this.sent = statements.map(({ text, values, prepared }) => ({
      text,
      name: prepared && config.DATABASE_KEEPS_PLANS ? nameOf(text) : '',
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
      sent.columns = name === '' ? undefined : markUsed(wire, name, message);
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
    const parserOf = client.getTypeParser.bind(client) as (type: number) => (text: string) => unknown;
    this.current.columns = fields.map(({ name, dataTypeID }) => ({ name, read: parserOf(dataTypeID) }));
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
    if (name !== '') preparedOn.get(wire)?.set(name, columns);
    this.completed += 1;
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

  /**
   * After an error it is unknown which statements the server has prepared, so all of them are prepared again on their
   * next use.
   */
  handleError(error: Error, wire: Wire): void {
    for (const { name } of this.sent) preparedOn.get(wire)?.delete(name);
    this.callback?.(this.failure ?? error);
  }

  private get current(): SentStatement {
    return this.sent[this.completed] as SentStatement;
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
 * Marks a prepared statement as most recently used.
 * @returns the columns of the statement; undefined if the statement is not prepared. In that case, adds a message that
 * frees the statement's name on the server
 */
function markUsed(wire: Wire, name: string, message: Buffer[]): Columns | undefined {
  const prepared = preparedOn.get(wire) ?? new Map<string, Columns | undefined>();
  preparedOn.set(wire, prepared);
  const columns = prepared.get(name);
  prepared.delete(name);
  prepared.set(name, columns);
  if (columns) return columns;
  // After a failed pipeline the server may still have a statement with this name, so the name is closed before the
  // statement is prepared. Closing an unknown name is no error.
  message.push(serialize.close({ type: 'S', name }));
  const [oldest] = prepared.keys();
  if (prepared.size > MAX_PREPARED && oldest !== undefined) {
    prepared.delete(oldest);
    message.push(serialize.close({ type: 'S', name: oldest }));
  }
  return undefined;
}
