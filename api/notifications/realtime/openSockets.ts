/** The connections of this process. */
import type { LiveSocket } from './liveSocket.js';
import { countClosed, socketsOpen } from './metrics.js';

type Sockets = Map<string, Set<LiveSocket>>;

const byUser: Sockets = new Map();
/** Those of an organization by their people. */
const byOrganization = new Map<string, Sockets>();
const NONE: ReadonlySet<LiveSocket> = new Set();
const NOBODY: ReadonlyMap<string, ReadonlySet<LiveSocket>> = new Map();

/** Somebody's, wherever they are connected. */
export const socketsOf = (userId: string): ReadonlySet<LiveSocket> => byUser.get(userId) ?? NONE;
/** By user. */
export const connectedIn = (organizationId: string): ReadonlyMap<string, ReadonlySet<LiveSocket>> =>
  byOrganization.get(organizationId) ?? NOBODY;
export const allSockets = (): LiveSocket[] => [...byUser.values()].flatMap((sockets) => [...sockets]);

/** Keeps a connection until it is closed. */
export function keep(socket: LiveSocket): void {
  const { userId, organizationId } = socket.holder;
  const people = byOrganization.get(organizationId) ?? new Map<string, Set<LiveSocket>>();
  byOrganization.set(organizationId, people);
  put(people, userId, socket);
  put(byUser, userId, socket);
  socketsOpen.inc();
  socket.connection.once('close', () => {
    take(people, userId, socket);
    take(byUser, userId, socket);
    if (people.size === 0 && byOrganization.get(organizationId) === people) byOrganization.delete(organizationId);
    socketsOpen.dec();
    countClosed(socket.ending);
  });
}

const put = (map: Sockets, key: string, socket: LiveSocket): unknown =>
  map.set(key, (map.get(key) ?? new Set()).add(socket));

function take(map: Sockets, key: string, socket: LiveSocket): void {
  const left = map.get(key);
  left?.delete(socket);
  if (left?.size === 0) map.delete(key);
}
