/** The open connections of this process. */
import type { LiveSocket } from './liveSocket.js';
import { countClosed, socketsOpen } from './metrics.js';

type Sockets = Map<string, Set<LiveSocket>>;

const byUser: Sockets = new Map();
/** Connections by organization, then by user. */
const byOrganization = new Map<string, Sockets>();
const NONE: ReadonlySet<LiveSocket> = new Set();
const NO_USERS: ReadonlyMap<string, ReadonlySet<LiveSocket>> = new Map();

/** Returns the connections of a user in all organizations. */
export const socketsOf = (userId: string): ReadonlySet<LiveSocket> => byUser.get(userId) ?? NONE;
/** Returns the connections of an organization by user. */
export const connectedIn = (organizationId: string): ReadonlyMap<string, ReadonlySet<LiveSocket>> =>
  byOrganization.get(organizationId) ?? NO_USERS;
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
    if (people.size === 0 && byOrganization.get(organizationId) === people) byOrganization.delete(organizationId);
    socketsOpen.dec();
    countClosed(socket.ending);
  });
}

const addSocket = (map: Sockets, key: string, socket: LiveSocket): unknown =>
  map.set(key, (map.get(key) ?? new Set()).add(socket));

function removeSocket(map: Sockets, key: string, socket: LiveSocket): void {
  const remaining = map.get(key);
  remaining?.delete(socket);
  if (remaining?.size === 0) map.delete(key);
}
