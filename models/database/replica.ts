/**
 * The read replica: health-checked every second; excluded while it lags, fails or is no standby, and included again
 * automatically. Each read checks the replayed position itself (`tenancy.ts`); the state here only decides whether to
 * try.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { config } from '../../config.js';
import { log } from '../log.js';
import { hasNoAnswer, isTransient, QUERY_CANCELED, sqlStateOf } from './constraints.js';
import { replicaPool } from './connection.js';
import { direct, directPool } from './direct.js';
import { countRead, reportReplica } from './metrics.js';
import { type Position, positionIn, REPLAYED } from './positions.js';
import { weaknessOf } from './roles.js';
import { type AtReplica, NotReplayed } from './tenancy.js';

const LOOK_EVERY_MS = 1_000;
/** Time that a read waits for its session's own writes. */
const WAIT_MS = 100;
const ASK_EVERY_MS = 5;

export interface ReplicaState {
  /** Why reads do not go to the replica; null while they do. */
  leftOut: string | null;
  /** Null: unknown. */
  lagSeconds: number | null;
}

const UNSEEN: ReplicaState = { leftOut: 'it was not looked at yet', lagSeconds: null };
let state = UNSEEN;
let replayed: Position = 0;
/** Sampled positions of the primary that the replica has not replayed, with their time, oldest first. */
let ahead: { position: Position; at: number }[] = [];
let isTrusted = false;
/** Whether the previous health check succeeded. */
let isFollowed = false;
let pool: pg.Pool | undefined;

/** Null without a replica. */
export const replicaState = (): ReplicaState | null => (replicaPool ? state : null);

/** Checks the replica now and every second. @returns a function that stops it */
export function followReplica(): () => Promise<void> {
  if (!replicaPool) return () => Promise.resolve();
  forget();
  state = UNSEEN;
  let looking: Promise<void> | undefined;
  const lookOnce = (): void => void (looking ??= lookAtReplica().finally(() => (looking = undefined)));
  lookOnce();
  const timer = setInterval(lookOnce, LOOK_EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await looking;
    await closeReplica();
  };
}

/** Runs one health check. */
async function lookAtReplica(): Promise<void> {
  const at = performance.now();
  try {
    // Unflushed WAL is sent to no replica, so it is not lag.
    const { rows } = await direct().query<{ position: string }>('SELECT pg_current_wal_flush_lsn()::text AS position');
    const position = positionIn(rows[0]?.position);
    await askReplayed();
    if (!isTrusted) await requireTrust();
    ahead = ahead.filter((one) => one.position > replayed);
    // After an outage the time of the missing writes is unknown: the replica must catch up first.
    if (position !== null && position > replayed) ahead.push({ position, at: isFollowed ? at : -Infinity });
    isFollowed = true;
    const lag = ahead[0] ? (performance.now() - ahead[0].at) / 1000 : 0;
    const lagSeconds = Number.isFinite(lag) ? lag : null;
    decide({ leftOut: lag > config.READ_LAG_SECONDS ? 'it lags' : null, lagSeconds });
  } catch (error) {
    leaveOut(error);
  }
}

/** The server answers but cannot be read from. */
class Unusable extends Error {}

function forget(): void {
  isTrusted = false;
  isFollowed = false;
  ahead = [];
}

function leaveOut(error: unknown): void {
  forget();
  decide({ leftOut: error instanceof Unusable ? error.message : 'it does not answer', lagSeconds: null }, error);
}

function decide(next: ReplicaState, error?: unknown): void {
  if (next.leftOut !== null && state.leftOut !== next.leftOut)
    log.warn({ detail: next.leftOut, ...(error instanceof Error && { err: error }) }, 'the read replica is left out');
  if (next.leftOut === null && state.leftOut !== null) log.info({}, 'reads go to the read replica');
  state = next;
  reportReplica(next.leftOut === null, next.lagSeconds);
}

const replicaDirect = (): pg.Pool => (pool ??= directPool(config.DATABASE_READ_URL));

/** @throws Error when it does not answer, or is not a standby */
async function askReplayed(): Promise<void> {
  const { rows } = await replicaDirect().query<{ replayed: string | null }>(`SELECT ${REPLAYED}`);
  const found = positionIn(rows[0]?.replayed);
  if (found === null) throw new Unusable('it is no replica, or no longer one');
  replayed = found;
}

const HISTORY = `SELECT system_identifier::text || ' ' || current_database() AS history FROM pg_control_system()`;

/** @throws Error when it replicates another database, or when its role could bypass row level security */
async function requireTrust(): Promise<void> {
  const ask = async <Row extends pg.QueryResultRow>(server: pg.Pool, text: string) =>
    (await server.query<Row>(text)).rows;
  const histories = await Promise.all([direct(), replicaDirect()].map((one) => ask<{ history: string }>(one, HISTORY)));
  if (histories[0]?.[0]?.history !== histories[1]?.[0]?.history)
    throw new Unusable('it is a replica of another database');
  const weakness = await weaknessOf((text) => ask(replicaDirect(), text));
  if (weakness) throw new Unusable(`DATABASE_READ_URL: ${weakness}`);
  isTrusted = true;
}

async function closeReplica(): Promise<void> {
  const closing = pool;
  pool = undefined;
  await closing?.end();
}

/**
 * Chooses the server for a read: the replica once it has replayed all that the reader has written; waits for that at
 * most a tenth of a second.
 */
export async function chooseReplica(after: Position | null): Promise<AtReplica | undefined> {
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

let asking: Promise<void> | undefined;

async function isReplayed(position: Position): Promise<boolean> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    if (replayed >= position) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    // Waiting reads share one query.
    asking ??= askReplayed().finally(() => (asking = undefined));
    await Promise.race([asking.catch(() => undefined), sleep(left, undefined, { ref: false })]);
    if (replayed < position) await sleep(ASK_EVERY_MS);
  }
}

/**
 * Reads from the chosen server. Refusals, missing rows and failures at the replica are decided again by the primary.
 */
export async function readAt<T>(
  place: AtReplica | undefined,
  read: (place: AtReplica | undefined) => Promise<T>,
): Promise<T> {
  if (!place) return read(undefined);
  try {
    return await read(place);
  } catch (error) {
    // The statement used its whole time limit; the primary may not be quicker.
    if (sqlStateOf(error) === QUERY_CANCELED) throw error;
    if (isAway(error)) leaveOut(error);
    countRead('primary', error instanceof NotReplayed ? 'not_replayed' : 'no_answer');
    return read(undefined);
  }
}

/** Whether the server is down or hangs. A recovery conflict (40001) concerns the statement only. */
const isAway = (error: unknown): boolean =>
  hasNoAnswer(error) || (isTransient(error) && !/^(40|55P03)/.test(sqlStateOf(error) ?? ''));
