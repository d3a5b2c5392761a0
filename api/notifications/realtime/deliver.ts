/**
 * Sends announced events to connected clients. For each organization one read runs at a time; it covers all
 * announcements that arrived meanwhile.
 */
import { withRequestLimits } from '../../../models/database/connectionQuota.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { log } from '../../../models/log.js';
import type { Announcement } from '../../../models/notifications/realtime/announcements.js';
import {
  MAX_SENT_SINGLY,
  readUnreadStates,
  readLive,
  type UnreadState,
  type LiveNotification,
} from '../../../models/notifications/realtime/readForConnected.js';
import { windowOf } from '../../../models/notifications/realtime/topics.js';
import { collect } from './collect.js';
import type { LiveSocket } from './liveSocket.js';
import { connectedIn, subscribersOf } from './openSockets.js';
import { type PublishedEvents, readPublished, sendPublished } from './topicEvents.js';

export type DeliverableAnnouncement = Extract<Announcement, { kind: 'told' | 'read' | 'published' }>;
type AnnouncementOf<Kind extends DeliverableAnnouncement['kind']> = Extract<DeliverableAnnouncement, { kind: Kind }>;

const RETRY_MS = 1_000;
const MAX_ATTEMPTS = 5;

/** Announcements that wait for the running read, by organization. An entry exists while a read runs. */
const waiting = new Map<string, DeliverableAnnouncement[]>();

/**
 * Delivers an announcement. Ignores it if no client is connected to this process that it may concern. Events of a topic
 * are first collected for the topic's window.
 */
export function deliver(announcement: DeliverableAnnouncement): void {
  const { organization } = announcement;
  if (announcement.kind !== 'published') return enqueue(organization, [announcement]);
  const { topic } = announcement;
  const { size } = subscribersOf(organization, topic);
  if (size === 0) return;
  const windowMs = windowOf(topic, size);
  if (windowMs === 0) return enqueue(organization, [announcement]);
  collect(announcement, windowMs, (collected) => enqueue(organization, collected));
}

function enqueue(organization: string, announcements: DeliverableAnnouncement[]): void {
  if (connectedIn(organization).size === 0) return;
  const queued = waiting.get(organization);
  if (queued) return void queued.push(...announcements);
  waiting.set(organization, announcements);
  void deliverWaiting(organization);
}

async function deliverWaiting(organization: string): Promise<void> {
  for (let next = waiting.get(organization) ?? []; next.length > 0; next = waiting.get(organization) ?? []) {
    waiting.set(organization, []);
    await deliverWithRetries(organization, next);
  }
  waiting.delete(organization);
}

async function deliverWithRetries(organization: string, announcements: DeliverableAnnouncement[]): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      return send(organization, announcements, await read(organization, announcements));
    } catch (error) {
      log.warn(
        { err: error, attempt, organizationId: organization },
        'realtime events are delayed: the database could not be read',
      );
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }
  for (const sockets of connectedIn(organization).values()) for (const socket of sockets) socket.markStale();
}

const filterByKind = <Kind extends DeliverableAnnouncement['kind']>(
  announcements: DeliverableAnnouncement[],
  kind: Kind,
): AnnouncementOf<Kind>[] => announcements.filter((one): one is AnnouncementOf<Kind> => one.kind === kind);

interface NewEvents {
  created: LiveNotification[];
  unreadStates: (UnreadState & { userId: string })[];
  published: PublishedEvents[];
}

/** Reads in one transaction, within the organization's connection quota. */
const read = (organization: string, announcements: DeliverableAnnouncement[]): Promise<NewEvents> =>
  withRequestLimits(organization, () =>
    inTenant(
      organization,
      async () => {
        const connected = connectedIn(organization);
        const created = await readCreated(filterByKind(announcements, 'told'), connected);
        const readers = filterByKind(announcements, 'read').map(({ user }) => user);
        const changed = new Set([
          ...created.map(({ userId }) => userId),
          ...readers.filter((one) => connected.has(one)),
        ]);
        const unreadStates = changed.size > 0 ? await readUnreadStates([...changed]) : [];
        return {
          created,
          unreadStates,
          published: await readPublished(organization, filterByKind(announcements, 'published')),
        };
      },
      { readOnly: true },
    ),
  );

type Connected = ReturnType<typeof connectedIn>;

/**
 * Reads, for connected people, the notifications from the first to the last announced id. Any other notification in
 * this range is sent as well, because it was announced to these people, or will be.
 */
async function readCreated(announcements: AnnouncementOf<'told'>[], connected: Connected): Promise<LiveNotification[]> {
  const isForEveryone = announcements.some(({ to }) => to === null);
  const users = isForEveryone ? [...connected.keys()] : [...new Set(announcements.flatMap(({ to }) => to ?? []))];
  const connectedUsers = users.filter((user) => connected.has(user));
  const firstIds = announcements.map(({ first }) => first).sort();
  const lastIds = announcements.map(({ last }) => last).sort();
  return connectedUsers.length > 0 ? readLive(connectedUsers, firstIds[0] as string, lastIds.at(-1) as string) : [];
}

function send(
  organization: string,
  announcements: DeliverableAnnouncement[],
  { created, unreadStates, published }: NewEvents,
): void {
  const connected = connectedIn(organization);
  const socketsOf = (user: string): Iterable<LiveSocket> => connected.get(user) ?? [];
  const byUser = new Map<string, LiveNotification[]>();
  for (const one of created) byUser.set(one.userId, [...(byUser.get(one.userId) ?? []), one]);
  for (const [user, created] of byUser) for (const socket of socketsOf(user)) sendCreated(socket, created);
  for (const { user, ids } of filterByKind(announcements, 'read'))
    for (const socket of socketsOf(user)) sendRead(socket, ids);
  for (const { userId, ...standing } of unreadStates) for (const socket of socketsOf(userId)) socket.counts(standing);
  for (const one of published) for (const socket of one.subscribers) sendPublished(socket, one);
}

function sendCreated(socket: LiveSocket, created: LiveNotification[]): void {
  if (created.length > MAX_SENT_SINGLY) return socket.resync();
  for (const one of created) socket.created(one);
}

function sendRead(socket: LiveSocket, ids: string[] | null): void {
  if (ids) socket.read(ids);
  else socket.resync();
}
