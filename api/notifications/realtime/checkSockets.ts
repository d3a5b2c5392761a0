/** Whether connections may stay: asked of all each minute, and at once of those whose people were changed. */
import { log } from '../../../models/log.js';
import { standingSockets } from '../../../models/notifications/realtime/standingSockets.js';
import type { LiveSocket } from './liveSocket.js';

/** What is announced together is asked about together. */
const GATHER_MS = 20;
const RETRY_MS = 1_000;

const due = new Set<LiveSocket>();
let timer: NodeJS.Timeout | undefined;

/** Ends those whose session, account or access has ended, and tells the others if they have missed something; tries until it is known. */
export function checkSoon(sockets: Iterable<LiveSocket>, wait = GATHER_MS): void {
  for (const socket of sockets) due.add(socket);
  if (due.size > 0) timer ??= setTimeout(() => void check(), wait);
}

export function stopChecking(): void {
  clearTimeout(timer);
  timer = undefined;
  due.clear();
}

async function check(): Promise<void> {
  const asked = [...due];
  due.clear();
  timer = undefined;
  try {
    const standing = await standingSockets(asked.map(({ holder }) => holder));
    asked.forEach((socket, n) => {
      const found = standing[n];
      if (found) socket.stands(found);
      else socket.end('ended');
    });
  } catch (error) {
    log.warn({ err: error, count: asked.length }, 'realtime connections could not be checked');
    checkSoon(
      asked.filter(({ connection }) => connection.readyState === connection.OPEN),
      RETRY_MS,
    );
  }
}
