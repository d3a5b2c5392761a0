/** Opens connections: from the handshake until the missed events are sent. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import { WebSocket, WebSocketServer } from 'ws';
import { withRequestLimits } from '../../../models/database/connectionQuota.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { log } from '../../../models/log.js';
import {
  MAX_SENT_SINGLY,
  readMissed,
  readUnreadStates,
} from '../../../models/notifications/realtime/readForConnected.js';
import type { SocketHolder } from '../../../models/notifications/realtime/checkHolders.js';
import { httpErrors } from '../../http/errorHandler.js';
import { switchProtocols, type Upgrade } from '../../http/upgrades.js';
import { checkSoon } from './checkSockets.js';
import { realtimeErrors } from './errors.js';
import { hasCheckedSince, follow, stopFollowing } from './follow.js';
import { LiveSocket } from './liveSocket.js';
import { allSockets, register, socketsOf } from './openSockets.js';
import { receive } from './receive.js';

const MAX_SOCKETS = 10;
const MAX_INBOUND_BYTES = 4_096;
/** The time that a client has to close its end. */
const CLOSE_TIMEOUT_MS = 2_000;

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_INBOUND_BYTES,
  perMessageDeflate: false,
});
// With a listener, ws leaves the response to an invalid handshake to us.
server.on('wsClientError', () => undefined);

let stopping = false;

/**
 * Opens a connection.
 * @throws Refusal malformed_request, too_many_sockets
 */
export function connect(request: Request, upgrade: Upgrade, holder: SocketHolder, since: string | undefined): void {
  if (socketsOf(holder.userId).size >= MAX_SOCKETS)
    throw realtimeErrors.too_many_sockets(undefined, undefined, { 'Retry-After': '60' });
  const connection = completeHandshake(request, upgrade);
  if (!connection) return;
  const socket = new LiveSocket(connection, holder);
  register(socket);
  if (stopping) return socket.end('restarting');
  receive(socket);
  if (hasCheckedSince(upgrade.arrivedAt)) checkSoon([socket]);
  void welcome(socket, since);
}

/**
 * Completes the WebSocket handshake.
 * @returns undefined if the client has disconnected
 */
function completeHandshake(request: Request, { socket, head }: Upgrade): WebSocket | undefined {
  let connection: WebSocket | undefined;
  server.handleUpgrade(request, socket, head, (opened) => (connection = opened));
  if (!connection && !socket.destroyed)
    throw httpErrors.malformed_request('This is not a valid WebSocket handshake.', undefined, {
      'Sec-WebSocket-Version': '13',
    });
  switchProtocols(request);
  return connection;
}

/** Sends the missed events. Events that are announced meanwhile are queued and sent afterwards. */
async function welcome(socket: LiveSocket, since: string | undefined): Promise<void> {
  const { organizationId, userId } = socket.holder;
  try {
    await follow();
    const read = async () => ({
      unreadStates: await readUnreadStates([userId]),
      missed: since === undefined ? [] : await readMissed(userId, since),
    });
    const { unreadStates, missed } = await withRequestLimits(organizationId, () =>
      inTenant(organizationId, read, { readOnly: true }),
    );
    const [unreadState] = unreadStates;
    if (unreadState) socket.welcome(unreadState, missed.length > MAX_SENT_SINGLY ? null : missed);
  } catch (error) {
    log.warn({ err: error, organizationId }, 'a realtime connection could not begin');
    socket.end('failed');
  }
}

/** Accepts new connections from now on. */
export function openRealtime(): void {
  stopping = false;
}

/**
 * Tells every client to reconnect to another process, and drops the connections that are still open after a timeout.
 */
export async function closeRealtime(): Promise<void> {
  stopping = true;
  const stopped = stopFollowing();
  const sockets = allSockets();
  for (const socket of sockets) socket.end('restarting');
  const closed = sockets.map(({ connection }) => new Promise((resolve) => connection.once('close', resolve)));
  const dropTimer = setTimeout(() => sockets.forEach((socket) => socket.drop('restarting')), CLOSE_TIMEOUT_MS);
  await Promise.all(closed);
  clearTimeout(dropTimer);
  // Does not wait for a database that does not respond.
  await Promise.race([stopped, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
