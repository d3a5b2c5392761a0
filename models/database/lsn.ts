/**
 * Log sequence numbers (LSN), which are positions in the WAL. A write is visible on a server that has replayed the WAL
 * up to the write's LSN.
 */
import { auxiliaryPool } from './auxiliaryPool.js';

/** An LSN as a number: bytes from the beginning of the WAL. */
export type Lsn = number;

const LSN_PATTERN = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/;
const LOW_HALF = 2 ** 32;

/** Parses an LSN in Postgres' form, `16/B374D848`. @returns null for other text */
export function parseLsn(text: unknown): Lsn | null {
  const [, high, low] = (typeof text === 'string' && LSN_PATTERN.exec(text)) || [];
  return high === undefined || low === undefined
    ? null
    : Number.parseInt(high, 16) * LOW_HALF + Number.parseInt(low, 16);
}

/** Formats an LSN in Postgres' form. */
const formatLsn = (position: Lsn): string =>
  [Math.floor(position / LOW_HALF), position % LOW_HALF].map((half) => half.toString(16).toUpperCase()).join('/');

/** Encodes an LSN as an opaque token for clients. */
export const lsnToken = (position: Lsn): string => Buffer.from(formatLsn(position), 'latin1').toString('base64url');

/**
 * Decodes a token that `lsnToken` made.
 * @returns null for a malformed token
 */
export const lsnOfToken = (token: unknown): Lsn | null =>
  typeof token === 'string' ? parseLsn(Buffer.from(token, 'base64url').toString('latin1')) : null;

/** SQL column: the LSN up to which this server has replayed the WAL; null on a primary. */
export const REPLAYED = `CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END::text AS replayed`;

// SQL that reads the primary's current LSN. If commits wait for the disk, the flushed LSN covers every commit. Writes
// that do not wait for the disk, such as throttle counters, may reach a replica later.
const POSITION = `
  SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
              ELSE pg_current_wal_flush_lsn() END::text AS position`;

/**
 * Reads the primary's current LSN. Everything that was committed before this call has a lower LSN.
 * @throws Error if the LSN cannot be read
 */
export async function currentLsn(): Promise<Lsn> {
  const { rows } = await auxiliaryPool().query<{ position: string }>(POSITION);
  const position = parseLsn(rows[0]?.position);
  if (position === null) throw new Error('Could not read the WAL position of the database.');
  return position;
}
