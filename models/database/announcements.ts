/**
 * What processes tell one another by NOTIFY: ids and kinds, nothing of what people wrote. It is sent after the commit, by a
 * small connection apart: a transaction that notifies waits, while it is committed, for every other that does. Whoever listens must bear
 * that one is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log.js';
import { currentScope } from './connection.js';
import { direct } from './direct.js';

/** What listeners of it are told is JSON of an object with a `kind`. */
export const ANNOUNCEMENTS = 'announcements';

/** Postgres takes 7,999 bytes. */
const MOST_BYTES = 7_500;

/** Announces something once the open transaction is committed. @throws Error for more than fits into one notification */
export function announce(message: Announced): void {
  currentScope().announced.push(textOf(message));
}

/** Announces what was committed just now, without a transaction that is still open. @throws Error likewise */
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

// Nothing durable is written: whoever is told need not wait for the disk.
const NOTIFY = `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, text) FROM unnest($2::text[]) AS text`;

let waiting: string[] = [];
let sending = false;

/** Nobody notices so little, and much of what happens at once goes together. */
const GATHERED_FOR_MS = 10;

/** Sends what was announced. What comes while it does so goes together, next. */
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
