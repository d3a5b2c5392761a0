/**
 * Sends messages between processes with NOTIFY: ids and kinds, no content. They are sent after the commit, on a
 * separate small pool, because Postgres serializes the commits of all transactions that notify. Listeners must tolerate
 * lost messages.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log.js';
import { currentScope } from './connection.js';
import { auxiliaryPool } from './auxiliaryPool.js';

/** Channel whose payloads are JSON objects with a `kind`. */
export const ANNOUNCEMENTS = 'announcements';

/** Limit of our messages. Postgres accepts payloads of up to 7,999 bytes. */
const MAX_BYTES = 7_500;

/**
 * Announces a message once the current transaction commits.
 * @throws Error if the message does not fit into one notification
 */
export function announce(message: Announcement): void {
  currentScope().announcements.push(textOf(message));
}

/**
 * Announces something that is already committed; needs no open transaction.
 * @throws Error if a message does not fit into one notification
 */
export function announceCommitted(messages: readonly Announcement[]): void {
  void sendAnnouncements(messages.map(textOf));
}

interface Announcement {
  kind: string;
  [id: string]: unknown;
}

function textOf(message: Announcement): string {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw new Error(`An announcement of ${message.kind} is longer than ${MAX_BYTES} bytes.`);
  return text;
}

// NOTIFY writes nothing that must survive a crash, so the commit need not wait for the disk.
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, text) FROM unnest($2::text[]) AS text`;

let pending: string[] = [];
let sending = false;

/** Announcements within this time are sent as one batch. The delay is too short to be noticed. */
const BATCH_WINDOW_MS = 10;

/** Sends announcements in batches. Announcements that arrive while a batch is sent form the next batch. */
export async function sendAnnouncements(texts: readonly string[]): Promise<void> {
  pending.push(...texts);
  if (sending) return;
  sending = true;
  while (pending.length > 0) {
    await sleep(BATCH_WINDOW_MS);
    const batch = pending;
    pending = [];
    try {
      await auxiliaryPool().query(NOTIFY, [ANNOUNCEMENTS, batch]);
    } catch (error) {
      log.warn({ err: error }, 'announcements were lost');
    }
  }
  sending = false;
}
