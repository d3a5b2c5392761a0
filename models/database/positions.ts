/** Places in the log of the database: what was written by one is seen wherever the log was replayed up to it. */
import { direct } from './direct.js';

/** Bytes from the beginning of the log. */
export type Position = number;

const TEXT = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/;
const HALF = 2 ** 32;

/** @param text as Postgres writes it, `16/B374D848` @returns null for what is none */
export function positionIn(text: unknown): Position | null {
  const [, high, low] = (typeof text === 'string' && TEXT.exec(text)) || [];
  return high === undefined || low === undefined ? null : Number.parseInt(high, 16) * HALF + Number.parseInt(low, 16);
}

/** As Postgres writes it. */
const positionText = (position: Position): string =>
  [Math.floor(position / HALF), position % HALF].map((half) => half.toString(16).toUpperCase()).join('/');

/** As clients are given it, who need not know what it is. */
export const positionToken = (position: Position): string =>
  Buffer.from(positionText(position), 'latin1').toString('base64url');

/** @returns null for what is no such token */
export const positionOf = (token: unknown): Position | null =>
  typeof token === 'string' ? positionIn(Buffer.from(token, 'base64url').toString('latin1')) : null;

/** SQL: how far a replica has replayed the log; null on what is none. */
export const REPLAYED = `CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END::text AS replayed`;

// What is on disk, where commits wait for that: a replica gets the rest, counters of throttles say, only later.
const POSITION = `
  SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
              ELSE pg_current_wal_flush_lsn() END::text AS position`;

/** Where the log of the primary is: all that was committed before this was asked lies before it. @throws Error */
export async function currentPosition(): Promise<Position> {
  const { rows } = await direct().query<{ position: string }>(POSITION);
  const position = positionIn(rows[0]?.position);
  if (position === null) throw new Error('The database does not say where its log is.');
  return position;
}
