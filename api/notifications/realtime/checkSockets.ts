/**
 * Checks whether connections may stay open: all of them each minute, and those of a person at once when the person
 * changed.
 */
import { log } from '../../../models/log.js';
import { checkHolders } from '../../../models/notifications/realtime/checkHolders.js';
import type { LiveSocket } from './liveSocket.js';

/** Sockets that are due for a check within this time of one another are checked in one statement (debounce). */
const DEBOUNCE_MS = 20;
const RETRY_MS = 1_000;

const due = new Set<LiveSocket>();
let timer: NodeJS.Timeout | undefined;

/**
 * Schedules a check: closes connections whose session, account or access has ended, and resynchronizes those that
 * missed events. Retries until the check succeeds.
 */
export function checkSoon(sockets: Iterable<LiveSocket>, wait = DEBOUNCE_MS): void {
  for (const socket of sockets) due.add(socket);
  if (due.size > 0) timer ??= setTimeout(() => void check(), wait);
}

export function stopChecking(): void {
  clearTimeout(timer);
  timer = undefined;
  due.clear();
}

async function check(): Promise<void> {
  const dueSockets = [...due];
  due.clear();
  timer = undefined;
  try {
    const states = await checkHolders(dueSockets.map(({ holder }) => holder));
    dueSockets.forEach((socket, n) => {
      const state = states[n];
      if (state) socket.compareState(state);
      else socket.end('ended');
    });
  } catch (error) {
    log.warn({ err: error, count: dueSockets.length }, 'realtime connections could not be checked');
    checkSoon(
      dueSockets.filter(({ connection }) => connection.readyState === connection.OPEN),
      RETRY_MS,
    );
  }
}
