/** WAL positions (LSN): a write at one is visible wherever the WAL was replayed up to it. */
import { direct } from './direct.js';

/** Bytes from the beginning of the WAL. */
export type Position = number;

const TEXT = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/;
const HALF = 2 ** 32;

/** @param text in Postgres' form, `16/B374D848` @returns null for other text */
export function positionIn(text: unknown): Position | null {
  const [, high, low] = (typeof text === 'string' && TEXT.exec(text)) || [];
  return high === undefined || low === undefined ? null : Number.parseInt(high, 16) * HALF + Number.parseInt(low, 16);
}

/** Formats a position in Postgres' form. */
const positionText = (position: Position): string =>
  [Math.floor(position / HALF), position % HALF].map((half) => half.toString(16).toUpperCase()).join('/');

/** Opaque token of a position for clients. */
export const positionToken = (position: Position): string =>
  Buffer.from(positionText(position), 'latin1').toString('base64url');

/** @returns null for a malformed token */
export const positionOf = (token: unknown): Position | null =>
  typeof token === 'string' ? positionIn(Buffer.from(token, 'base64url').toString('latin1')) : null;

/** SQL: position up to which a replica has replayed; null on a primary. */
export const REPLAYED = `CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END::text AS replayed`;

// The flushed position, where commits wait for the disk; other writes, such as throttle counters, reach a replica
// later.
const POSITION = `
  SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
              ELSE pg_current_wal_flush_lsn() END::text AS position`;

/** Current WAL position of the primary: everything committed before this call lies before it. @throws Error */
export async function currentPosition(): Promise<Position> {
  const { rows } = await direct().query<{ position: string }>(POSITION);
  const position = positionIn(rows[0]?.position);
  if (position === null) throw new Error('The database does not say where its log is.');
  return position;
}
