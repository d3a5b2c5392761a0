/** The open connections of this process. */
import { WebSocket } from 'ws';
import type { LiveSocket } from './liveSocket.js';
import { countClosed, socketsOpen } from './metrics.js';

type Sockets = Map<string, Set<LiveSocket>>;

const byUser: Sockets = new Map();
/** Connections by organization, then by user. */
const byOrganization = new Map<string, Sockets>();
/** Connections by the topic to which they are subscribed. */
const byTopic: Sockets = new Map();
const NONE: ReadonlySet<LiveSocket> = new Set();
const NO_USERS: ReadonlyMap<string, ReadonlySet<LiveSocket>> = new Map();

/** Returns the connections of a user in all organizations. */
export const socketsOf = (userId: string): ReadonlySet<LiveSocket> => byUser.get(userId) ?? NONE;
/** Returns the connections of an organization by user. */
export const connectedIn = (organizationId: string): ReadonlyMap<string, ReadonlySet<LiveSocket>> =>
  byOrganization.get(organizationId) ?? NO_USERS;
export const subscribersOf = (organizationId: string, topic: string): ReadonlySet<LiveSocket> =>
  byTopic.get(keyOf(organizationId, topic)) ?? NONE;
export const allSockets = (): LiveSocket[] => [...byUser.values()].flatMap((sockets) => [...sockets]);

/** Registers a connection until it is closed. */
export function register(socket: LiveSocket): void {
  const { userId, organizationId } = socket.holder;
  const people = byOrganization.get(organizationId) ?? new Map<string, Set<LiveSocket>>();
  byOrganization.set(organizationId, people);
  addSocket(people, userId, socket);
  addSocket(byUser, userId, socket);
  socketsOpen.inc();
  socket.connection.once('close', () => {
    removeSocket(people, userId, socket);
    removeSocket(byUser, userId, socket);
    for (const topic of socket.topics) unsubscribe(socket, topic);
    if (people.size === 0 && byOrganization.get(organizationId) === people) byOrganization.delete(organizationId);
    socketsOpen.dec();
    countClosed(socket.ending);
  });
}

/** Subscribes a connection to a topic of its organization, until it unsubscribes or is closed. */
export function subscribe(socket: LiveSocket, topic: string): void {
  // A connection that was closed while its right was checked would stay in the index.
  if (socket.connection.readyState === WebSocket.CLOSED) return;
  socket.topics.add(topic);
  addSocket(byTopic, keyOf(socket.holder.organizationId, topic), socket);
}

export function unsubscribe(socket: LiveSocket, topic: string): void {
  socket.topics.delete(topic);
  removeSocket(byTopic, keyOf(socket.holder.organizationId, topic), socket);
}

const keyOf = (organizationId: string, topic: string): string => `${organizationId} ${topic}`;

const addSocket = (map: Sockets, key: string, socket: LiveSocket): unknown =>
  map.set(key, (map.get(key) ?? new Set()).add(socket));

function removeSocket(map: Sockets, key: string, socket: LiveSocket): void {
  const remaining = map.get(key);
  remaining?.delete(socket);
  if (remaining?.size === 0) map.delete(key);
}
