/**
 * Messages between processes by NOTIFY: ids and kinds, no content. Sent after the commit, on a small pool of its own,
 * because a transaction that notifies serializes its commit with all others that do. Listeners must tolerate lost
 * messages.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log.js';
import { currentScope } from './connection.js';
import { direct } from './direct.js';

/** Channel whose payloads are JSON objects with a `kind`. */
export const ANNOUNCEMENTS = 'announcements';

/** Postgres accepts 7,999 bytes. */
const MOST_BYTES = 7_500;

/** Announces a message once the open transaction commits. @throws Error for more than fits into one notification */
export function announce(message: Announced): void {
  currentScope().announced.push(textOf(message));
}

/**
 * Announces something already committed, without an open transaction. @throws Error for more than fits into one
 * notification
 */
export function announceAtOnce(messages: readonly Announced[]): void {
  void sendAnnouncements(messages.map(textOf));
}

interface Announced {
  kind: string;
  [id: string]: unknown;
}

function textOf(message: Announced): string {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) > MOST_BYTES) throw new Error(`An announcement of ${message.kind} is too long.`);
  return text;
}

// Nothing durable is written, so the commit need not wait for the disk.
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, text) FROM unnest($2::text[]) AS text`;

let waiting: string[] = [];
let sending = false;

/** Batches concurrent announcements; the delay is not noticeable. */
const GATHERED_FOR_MS = 10;

/** Sends announcements. Those that arrive meanwhile are sent as the next batch. */
export async function sendAnnouncements(texts: readonly string[]): Promise<void> {
  waiting.push(...texts);
  if (sending) return;
  sending = true;
  while (waiting.length > 0) {
    await sleep(GATHERED_FOR_MS);
    const batch = waiting;
    waiting = [];
    try {
      await direct().query(NOTIFY, [ANNOUNCEMENTS, batch]);
    } catch (error) {
      log.warn({ err: error }, 'announcements were lost');
    }
  }
  sending = false;
}
