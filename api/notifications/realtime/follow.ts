/** Listens to the announcements of all processes, for the connections of this one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ANNOUNCEMENTS } from '../../../models/database/announcements.js';
import { listen, type Listener } from '../../../models/database/listen.js';
import type { Announcement } from '../../../models/notifications/realtime/announcements.js';
import { checkSoon, stopChecking } from './checkSockets.js';
import { deliver } from './deliver.js';
import { HEARTBEAT_SECONDS } from './liveSocket.js';
import { allSockets, connectedIn, socketsOf } from './openSockets.js';

const CHECK_EVERY_MS = 60_000;
/** How long a handshake waits for the listener. */
const LISTEN_TIMEOUT_MS = 3_000;

interface Following {
  listener: Listener;
  timers: NodeJS.Timeout[];
  listening: Promise<void>;
}

let following: Following | undefined;
let checkedAt = -Infinity;

/**
 * Starts listening with the first connection.
 * @returns when the listener is ready, or after a timeout
 */
export async function follow(): Promise<void> {
  following ??= start();
  await Promise.race([following.listening, sleep(LISTEN_TIMEOUT_MS, undefined, { ref: false })]);
}

export async function stopFollowing(): Promise<void> {
  const stopping = following;
  following = undefined;
  stopChecking();
  stopping?.timers.forEach((timer) => clearInterval(timer));
  await stopping?.listener.stop();
}

/**
 * Reports whether a check of sessions was announced since a moment of the process's monotonic clock, for example
 * because a session was ended.
 */
export const hasCheckedSince = (moment: number): boolean => checkedAt >= moment;

function start(): Following {
  let markReady: () => void = () => undefined;
  const listening = new Promise<void>((resolve) => (markReady = resolve));
  const listener = listen(ANNOUNCEMENTS, {
    onMessage: (payload) => handleAnnouncement(JSON.parse(payload) as Announcement),
    // Announcements that were missed while the listener was not connected are found by a check of all sockets. It does
    // not find events of topics, so subscribers are told to read again.
    onListening: () => {
      for (const socket of allSockets()) if (socket.topics.size > 0) socket.markStale();
      checkSoon(allSockets());
      markReady();
    },
  });
  const heartbeatTimer = setInterval(
    () => allSockets().forEach((socket) => socket.checkHeartbeat()),
    HEARTBEAT_SECONDS * 1_000,
  );
  const checkTimer = setInterval(() => checkSoon(allSockets()), CHECK_EVERY_MS);
  return { listener, timers: [heartbeatTimer, checkTimer], listening };
}

function handleAnnouncement(announcement: Announcement): void {
  if (announcement.kind !== 'check') return deliver(announcement);
  checkedAt = performance.now();
  const { user, organization } = announcement;
  if (user) checkSoon(socketsOf(user));
  if (organization) for (const sockets of connectedIn(organization).values()) checkSoon(sockets);
}
