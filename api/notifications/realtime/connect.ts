/** From a handshake to a connection that was told what it had missed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from 'express';
import { WebSocket, WebSocketServer } from 'ws';
import { asRequestOf } from '../../../models/database/requests.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { log } from '../../../models/log.js';
import { MOST_AT_ONCE, readMissed, readStandings } from '../../../models/notifications/realtime/readForConnected.js';
import type { SocketHolder } from '../../../models/notifications/realtime/standingSockets.js';
import { httpErrors } from '../../http/errorHandler.js';
import { switchProtocols, type Upgrade } from '../../http/upgrades.js';
import { checkSoon } from './checkSockets.js';
import { realtimeErrors } from './errors.js';
import { checkedSince, follow, stopFollowing } from './follow.js';
import { LiveSocket } from './liveSocket.js';
import { allSockets, keep, socketsOf } from './openSockets.js';
import { receive } from './receive.js';

const MOST_SOCKETS = 10;
const MOST_INBOUND_BYTES = 4_096;
/** What a client gets to close its end. */
const CLOSING_MS = 2_000;

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: MOST_INBOUND_BYTES,
  perMessageDeflate: false,
});
// With a listener a handshake that is none is left for us to answer.
server.on('wsClientError', () => undefined);

let stopping = false;

/** @throws Refusal malformed_request, too_many_sockets */
export function connect(request: Request, upgrade: Upgrade, holder: SocketHolder, since: string | undefined): void {
  if (socketsOf(holder.userId).size >= MOST_SOCKETS)
    throw realtimeErrors.too_many_sockets(undefined, undefined, { 'Retry-After': '60' });
  const connection = shakeHands(request, upgrade);
  if (!connection) return;
  const socket = new LiveSocket(connection, holder);
  keep(socket);
  if (stopping) return socket.end('restarting');
  receive(socket);
  if (checkedSince(upgrade.since)) checkSoon([socket]);
  void welcome(socket, since);
}

/** @returns undefined when the client has left meanwhile */
function shakeHands(request: Request, { socket, head }: Upgrade): WebSocket | undefined {
  let connection: WebSocket | undefined;
  server.handleUpgrade(request, socket, head, (made) => (connection = made));
  if (!connection && !socket.destroyed)
    throw httpErrors.malformed_request('This is no handshake of WebSocket.', undefined, {
      'Sec-WebSocket-Version': '13',
    });
  switchProtocols(request);
  return connection;
}

/** What is announced from here on waits until it was told what came before. */
async function welcome(socket: LiveSocket, since: string | undefined): Promise<void> {
  const { organizationId, userId } = socket.holder;
  try {
    await follow();
    const read = async () => ({
      standings: await readStandings([userId]),
      missed: since === undefined ? [] : await readMissed(userId, since),
    });
    const { standings, missed } = await asRequestOf(organizationId, () =>
      inTenant(organizationId, read, { readOnly: true }),
    );
    const [standing] = standings;
    if (standing) socket.welcome(standing, missed.length > MOST_AT_ONCE ? null : missed);
  } catch (error) {
    log.warn({ err: error, organizationId }, 'a realtime connection could not begin');
    socket.end('failed');
  }
}

/** New connections are taken from here on. */
export function openRealtime(): void {
  stopping = false;
}

/** Tells every client to connect again, elsewhere, and ends what is left after a moment. */
export async function closeRealtime(): Promise<void> {
  stopping = true;
  const stopped = stopFollowing();
  const sockets = allSockets();
  for (const socket of sockets) socket.end('restarting');
  const closed = sockets.map(({ connection }) => new Promise((resolve) => connection.once('close', resolve)));
  const impatient = setTimeout(() => sockets.forEach((socket) => socket.drop('restarting')), CLOSING_MS);
  await Promise.all(closed);
  clearTimeout(impatient);
  // A database that does not answer is not waited for.
  await Promise.race([stopped, sleep(CLOSING_MS, undefined, { ref: false })]);
}
