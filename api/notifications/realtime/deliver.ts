/** Tells those who are connected what was announced: in each organization one read at a time, for all that came meanwhile. */
import { asRequestOf } from '../../../models/database/requests.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { log } from '../../../models/log.js';
import type { Announcement } from '../../../models/notifications/realtime/announcements.js';
import {
  MOST_AT_ONCE,
  readStandings,
  readTold,
  type Standing,
  type ToldNow,
} from '../../../models/notifications/realtime/readForConnected.js';
import { mayHear } from '../../../models/notifications/realtime/topics.js';
import type { LiveSocket } from './liveSocket.js';
import { connectedIn } from './openSockets.js';

export type Heard = Extract<Announcement, { kind: 'told' | 'read' | 'published' }>;
type Of<Kind extends Heard['kind']> = Extract<Heard, { kind: Kind }>;

const RETRY_MS = 1_000;
const MOST_ATTEMPTS = 5;

/** What waits for the read that runs, by organization; there while one does. */
const waiting = new Map<string, Heard[]>();

/** What an organization announces in which nobody is connected here is nobody's concern. */
export function deliver(announcement: Heard): void {
  const { organization } = announcement;
  if (connectedIn(organization).size === 0) return;
  const others = waiting.get(organization);
  if (others) return void others.push(announcement);
  waiting.set(organization, [announcement]);
  void goOn(organization);
}

async function goOn(organization: string): Promise<void> {
  for (let next = waiting.get(organization) ?? []; next.length > 0; next = waiting.get(organization) ?? []) {
    waiting.set(organization, []);
    await persistently(organization, next);
  }
  waiting.delete(organization);
}

async function persistently(organization: string, announcements: Heard[]): Promise<void> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    try {
      return tell(organization, announcements, await read(organization, announcements));
    } catch (error) {
      log.warn({ err: error, attempt, organizationId: organization }, 'realtime events wait');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
    }
  }
  for (const sockets of connectedIn(organization).values()) for (const socket of sockets) socket.missed();
}

const ofKind = <Kind extends Heard['kind']>(announcements: Heard[], kind: Kind): Of<Kind>[] =>
  announcements.filter((one): one is Of<Kind> => one.kind === kind);

interface News {
  told: ToldNow[];
  standings: (Standing & { userId: string })[];
  /** By topic: who may hear of it. */
  hearers: Map<string, string[]>;
}

/** In one transaction, within the organization's share of the connections. */
const read = (organization: string, announcements: Heard[]): Promise<News> =>
  asRequestOf(organization, () =>
    inTenant(
      organization,
      async () => {
        const connected = connectedIn(organization);
        const told = await readToldOf(ofKind(announcements, 'told'), connected);
        const readers = ofKind(announcements, 'read').map(({ user }) => user);
        const changed = new Set([...told.map(({ userId }) => userId), ...readers.filter((one) => connected.has(one))]);
        const hearers = new Map<string, string[]>();
        for (const { topic } of ofKind(announcements, 'published')) {
          const users = subscribersOf(topic, connected).map(({ holder }) => holder.userId);
          if (users.length > 0 && !hearers.has(topic)) hearers.set(topic, (await mayHear(topic, users)) ?? []);
        }
        return { told, standings: changed.size > 0 ? await readStandings([...changed]) : [], hearers };
      },
      { readOnly: true },
    ),
  );

type Connected = ReturnType<typeof connectedIn>;

/** From the first to the last that was announced, of those who are connected: what else lies between was announced to them, too, or will be. */
async function readToldOf(told: Of<'told'>[], connected: Connected): Promise<ToldNow[]> {
  const everybody = told.some(({ to }) => to === null);
  const users = everybody ? [...connected.keys()] : [...new Set(told.flatMap(({ to }) => to ?? []))];
  const here = users.filter((user) => connected.has(user));
  const firsts = told.map(({ first }) => first).sort();
  const lasts = told.map(({ last }) => last).sort();
  return here.length > 0 ? readTold(here, firsts[0] as string, lasts.at(-1) as string) : [];
}

const subscribersOf = (topic: string, connected: Connected): LiveSocket[] =>
  [...connected.values()].flatMap((sockets) => [...sockets].filter(({ topics }) => topics.has(topic)));

function tell(organization: string, announcements: Heard[], { told, standings, hearers }: News): void {
  const connected = connectedIn(organization);
  const of = (user: string): Iterable<LiveSocket> => connected.get(user) ?? [];
  const byUser = new Map<string, ToldNow[]>();
  for (const one of told) byUser.set(one.userId, [...(byUser.get(one.userId) ?? []), one]);
  for (const [user, created] of byUser) for (const socket of of(user)) tellCreated(socket, created);
  for (const { user, ids } of ofKind(announcements, 'read')) for (const socket of of(user)) tellRead(socket, ids);
  for (const { userId, ...standing } of standings) for (const socket of of(userId)) socket.counts(standing);
  for (const { topic, event } of ofKind(announcements, 'published'))
    for (const socket of subscribersOf(topic, connected))
      tellPublished(socket, topic, event, hearers.get(topic)?.includes(socket.holder.userId) ?? false);
}

function tellCreated(socket: LiveSocket, created: ToldNow[]): void {
  if (created.length > MOST_AT_ONCE) return socket.resync();
  for (const one of created) socket.created(one);
}

function tellRead(socket: LiveSocket, ids: string[] | null): void {
  if (ids) socket.read(ids);
  else socket.resync();
}

/** Who may hear of it no more, hears that, and nothing of what was published. */
function tellPublished(socket: LiveSocket, topic: string, event: object, may: boolean): void {
  if (may) return socket.send('published', { topic, event });
  socket.topics.delete(topic);
  socket.send('unsubscribed', { topic });
}
