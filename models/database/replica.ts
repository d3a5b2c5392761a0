/**
 * Decides whether a read may use the read replica. A health check runs every second; the replica is excluded while it
 * lags, fails or is not a standby, and is used again automatically afterwards. In addition, each read itself checks how
 * far the replica has replayed (`tenancy.ts`).
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { config } from '../../config.js';
import { log } from '../log.js';
import { hasNoAnswer, isTransient, QUERY_CANCELED, sqlStateOf } from './constraints.js';
import { replicaPool } from './connection.js';
import { auxiliaryPool, createAuxiliaryPool } from './auxiliaryPool.js';
import { countRead, reportReplica } from './metrics.js';
import { type Lsn, parseLsn, REPLAYED } from './lsn.js';
import { weaknessOf } from './roles.js';
import { type AtReplica, NotReplayed } from './tenancy.js';

const HEALTH_CHECK_INTERVAL_MS = 1_000;
/** Maximum time that a read waits for the replica to replay the writes of its own session. */
const MAX_WAIT_MS = 100;
const POLL_INTERVAL_MS = 5;

export interface ReplicaState {
  /** Reason why reads do not go to the replica; null if they go there. */
  leftOut: string | null;
  /** Lag of the replica; null if it is unknown. */
  lagSeconds: number | null;
}

const UNCHECKED: ReplicaState = { leftOut: 'it was not checked yet', lagSeconds: null };
let state = UNCHECKED;
let replayed: Lsn = 0;
/**
 * Positions of the primary that the replica has not replayed yet, each with the time when it was seen, oldest first.
 * The oldest one gives the lag.
 */
let unreplayed: { position: Lsn; at: number }[] = [];
let isTrusted = false;
/** Whether the previous health check succeeded. */
let wasHealthy = false;
let pool: pg.Pool | undefined;

/** Returns the state of the replica, or null without a replica. */
export const replicaState = (): ReplicaState | null => (replicaPool ? state : null);

/** Checks the replica now and every second. @returns a function that stops it */
export function followReplica(): () => Promise<void> {
  if (!replicaPool) return () => Promise.resolve();
  resetChecks();
  state = UNCHECKED;
  let checking: Promise<void> | undefined;
  const checkOnce = (): void => void (checking ??= checkReplica().finally(() => (checking = undefined)));
  checkOnce();
  const timer = setInterval(checkOnce, HEALTH_CHECK_INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await checking;
    await closeReplica();
  };
}

/** Runs one health check. */
async function checkReplica(): Promise<void> {
  const at = performance.now();
  try {
    // Uses the flushed position: WAL that is not flushed is not sent to replicas, so it is no lag.
    const { rows } = await auxiliaryPool().query<{ position: string }>(
      'SELECT pg_current_wal_flush_lsn()::text AS position',
    );
    const position = parseLsn(rows[0]?.position);
    await readReplayed();
    if (!isTrusted) await requireTrust();
    unreplayed = unreplayed.filter((one) => one.position > replayed);
    // After an outage it is unknown when the writes that the replica lacks were made. The lag then counts as infinite
    // until the replica has caught up.
    if (position !== null && position > replayed) unreplayed.push({ position, at: wasHealthy ? at : -Infinity });
    wasHealthy = true;
    const lag = unreplayed[0] ? (performance.now() - unreplayed[0].at) / 1000 : 0;
    const lagSeconds = Number.isFinite(lag) ? lag : null;
    setState({ leftOut: lag > config.READ_LAG_SECONDS ? 'it lags' : null, lagSeconds });
  } catch (error) {
    excludeReplica(error);
  }
}

/** Thrown if the server answers but must not be used for reads. */
class Unusable extends Error {}

function resetChecks(): void {
  isTrusted = false;
  wasHealthy = false;
  unreplayed = [];
}

function excludeReplica(error: unknown): void {
  resetChecks();
  setState({ leftOut: error instanceof Unusable ? error.message : 'it does not answer', lagSeconds: null }, error);
}

function setState(next: ReplicaState, error?: unknown): void {
  if (next.leftOut !== null && state.leftOut !== next.leftOut)
    log.warn({ detail: next.leftOut, ...(error instanceof Error && { err: error }) }, 'the read replica is left out');
  if (next.leftOut === null && state.leftOut !== null) log.info({}, 'reads go to the read replica');
  state = next;
  reportReplica(next.leftOut === null, next.lagSeconds);
}

const replicaHealthPool = (): pg.Pool => (pool ??= createAuxiliaryPool(config.DATABASE_READ_URL));

/** Reads the replica's replayed LSN. @throws Error when it does not answer, or is not a standby */
async function readReplayed(): Promise<void> {
  const { rows } = await replicaHealthPool().query<{ replayed: string | null }>(`SELECT ${REPLAYED}`);
  const lsn = parseLsn(rows[0]?.replayed);
  if (lsn === null) throw new Unusable('it is not a standby');
  replayed = lsn;
}

const HISTORY = `SELECT system_identifier::text || ' ' || current_database() AS history FROM pg_control_system()`;

/**
 * Requires that the server is a replica of this database, and that its role is bound by row level security.
 * @throws Error if not
 */
async function requireTrust(): Promise<void> {
  const query = async <Row extends pg.QueryResultRow>(server: pg.Pool, text: string) =>
    (await server.query<Row>(text)).rows;
  const histories = await Promise.all(
    [auxiliaryPool(), replicaHealthPool()].map((one) => query<{ history: string }>(one, HISTORY)),
  );
  if (histories[0]?.[0]?.history !== histories[1]?.[0]?.history)
    throw new Unusable('it is a replica of another database');
  const weakness = await weaknessOf((text) => query(replicaHealthPool(), text));
  if (weakness) throw new Unusable(`DATABASE_READ_URL: ${weakness}`);
  isTrusted = true;
}

async function closeReplica(): Promise<void> {
  const closing = pool;
  pool = undefined;
  await closing?.end();
}

/**
 * Chooses the server for a read: the replica once it has replayed the reader's own writes, waiting for that up to 0.1
 * s; otherwise the primary.
 */
export async function chooseReplica(after: Lsn | null): Promise<AtReplica | undefined> {
  if (!replicaPool) return undefined;
  if (state.leftOut !== null) return onPrimary('left_out');
  if (after === null) return onPrimary('unknown');
  if (!(await isReplayed(after))) return onPrimary('not_replayed');
  countRead('replica', 'replayed');
  return { after };
}

function onPrimary(why: 'left_out' | 'unknown' | 'not_replayed'): undefined {
  countRead('primary', why);
  return undefined;
}

let pendingRead: Promise<void> | undefined;

async function isReplayed(position: Lsn): Promise<boolean> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    if (replayed >= position) return true;
    const remaining = deadline - performance.now();
    if (remaining <= 0) return false;
    // All reads that wait at the same time share one query.
    pendingRead ??= readReplayed().finally(() => (pendingRead = undefined));
    await Promise.race([pendingRead.catch(() => undefined), sleep(remaining, undefined, { ref: false })]);
    if (replayed < position) await sleep(POLL_INTERVAL_MS);
  }
}

/**
 * Runs a read on the chosen server. If the replica refuses it, finds no row or fails, the read is repeated on the
 * primary.
 */
export async function readAt<T>(
  atReplica: AtReplica | undefined,
  read: (place: AtReplica | undefined) => Promise<T>,
): Promise<T> {
  if (!atReplica) return read(undefined);
  try {
    return await read(atReplica);
  } catch (error) {
    // A statement that reached its time limit on the replica is not repeated on the primary, which may not be quicker.
    if (sqlStateOf(error) === QUERY_CANCELED) throw error;
    if (isServerDown(error)) excludeReplica(error);
    countRead('primary', error instanceof NotReplayed ? 'not_replayed' : 'no_answer');
    return read(undefined);
  }
}

/**
 * Reports whether the server is down or hangs. Not true for a recovery conflict (40001), which concerns only the
 * statement.
 */
const isServerDown = (error: unknown): boolean =>
  hasNoAnswer(error) || (isTransient(error) && !/^(40|55P03)/.test(sqlStateOf(error) ?? ''));
