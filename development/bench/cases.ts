/** All cases and their references. */
import { isDeepStrictEqual } from 'node:util';
import { bareRate } from './bareStatement.js';
import type { Case, Setting, Target } from './case.js';
import { commentsPath, feedPath, type ForumReader, hostilePosts } from './forums.js';
import { campaignPath, donateCalls } from './giving.js';
import { type Call, type Channel, type Load, ONE_STEP } from './protocol.js';
import { ask, loginCall, type SignedIn, type World } from './world.js';
import { apply, markRead } from './writes.js';

/** Pages of a list that are requested, if the list has them: most people read the first pages, some go to the end. */
const PAGES = [1, 2, 3, 4, 5, 60];
const PAGE_SIZE = 25;

const get = (path: string, headers: Record<string, string>): Call => ({ method: 'GET', path, headers });

/** Returns the cases in the order in which they run. */
export async function casesOf(setting: Setting): Promise<Case[]> {
  const { world, product, readers, forumReaders, forumModerators } = setting;
  const { admins, officers, members } = readers;
  const pages = <P extends SignedIn>(people: P[], path: (person: P) => string) =>
    Promise.all(people.map((person) => pagesOf(product, path(person), person.headers)));
  /**
   * Returns the case of a read.
   * @param statement URL path of the read whose SQL statement is also measured alone
   */
  const read = (name: string, rate: number, calls: Call[][], statement: string): Case => ({
    ...repeated(setting, name, { rate }, calls),
    limit: () => bareRate(statement, setting.bare),
  });
  /** Returns the case of a read of forums by members. Moderators, who see more, are checked too. */
  const forums = async (name: string, rate: number, path: (reader: ForumReader) => string): Promise<Case> =>
    repeated(setting, `forums: ${name}`, { rate }, await pages(forumReaders, path), await pages(forumModerators, path));
  const roster = (chapterId: string) => `/api/chapters/${chapterId}/members/`;
  const invoices = (organizationId: string) =>
    `/api/organizations/${organizationId}/invoices/?status=overdue&ordering=-due_date`;
  const organization = (organizationId: string) => `/api/organizations/${organizationId}/`;
  const unread = '/api/notifications/?is_read=false';
  const ofChapters = (path: (chapterId: string) => string) =>
    Promise.all(officers.map(({ chapterId, headers }) => pagesOf(product, path(chapterId), headers)));
  return [
    read('roster of a chapter', 1.2, await ofChapters(roster), roster(world.chapterId)),
    read(
      "organization's overdue invoices",
      0.7,
      await pages(admins, ({ organizationId }) => invoices(organizationId)),
      invoices(world.organizationId),
    ),
    read(
      'organization detail',
      0.6,
      members.map(({ headers, organizationId }) => [get(organization(organizationId), headers)]),
      organization(world.organizationId),
    ),
    read('unread notifications', 0.7, await pages(officers, () => unread), unread),
    repeated(
      setting,
      'money: billing roster',
      { rate: 0.8 },
      await ofChapters((chapterId) => `/api/billing/roster/?chapter=${chapterId}`),
    ),
    repeated(
      setting,
      "money: a chapter's own ledger",
      { rate: 0.8 },
      await ofChapters((chapterId) => `/api/chapters/${chapterId}/finances/ledger/`),
    ),
    repeated(
      setting,
      'giving: campaign payload',
      { rate: 0.8 },
      setting.giving.campaigns.map((campaign, n) => [
        get(campaignPath(campaign), { 'X-Forwarded-For': `198.51.100.${n + 1}` }),
      ]),
    ),
    repeated(
      setting,
      'giving: donations list',
      { rate: 0.8 },
      await pages(setting.giving.people, () => '/api/foundation/donations/'),
    ),
    await forums('feed', 0.7, feedPath),
    await forums('comments', 0.7, commentsPath),
    consoleSummary(setting),
    await forums('list', 0.6, () => '/api/forums/'),
    markRead(setting),
    apply(setting),
    repeated(
      setting,
      'log-in',
      null,
      loginCalls(world).map((call) => [call]),
    ),
    refresh(setting),
    authentication(setting),
    passkey(setting),
    saml(setting),
    payment(setting),
    refund(setting),
    donate(setting),
    chargePledges(setting),
    noisyNeighbour(setting),
    hostileWriters(setting),
  ];
}

/** Returns calls that request the pages in PAGES, as far as the list has these pages. */
async function pagesOf(base: string, path: string, headers: Record<string, string>): Promise<Call[]> {
  const { count } = (await ask(base, get(path, headers))) as { count: number };
  const last = Math.max(1, Math.ceil(count / PAGE_SIZE));
  const separator = path.includes('?') ? '&' : '?';
  return PAGES.filter((page) => page <= last).map((page) =>
    get(page === 1 ? path : `${path}${separator}page=${page}`, headers),
  );
}

/**
 * Returns a case in which these calls are repeated for the set time, at the product and at the reference.
 * @param people the calls of each person
 * @param othersChecked calls of other people, whose responses are compared too
 */
function repeated(
  { both: { product, reference }, connections, seconds }: Setting,
  name: string,
  target: Target,
  people: Call[][],
  othersChecked: Call[][] = [],
): Case {
  const load = (bases: string[]) => (): Load => ({ kind: 'repeat', bases, people, connections, seconds });
  return {
    name,
    target,
    product: load(product),
    reference: load(reference),
    async check() {
      for (const call of [...people, ...othersChecked].flat()) {
        const [ours, theirs] = await Promise.all([product, reference].map(([base]) => ask(base as string, call)));
        if (!isDeepStrictEqual(withoutTokens(ours), withoutTokens(theirs)))
          throw new Error(`${name}: product and reference do not answer ${call.path} the same.`);
      }
    },
  };
}

/** The counts of the console's start page, compared with the counts of the header for the same people. */
function consoleSummary({ readers, both: { product }, connections, seconds }: Setting): Case {
  const load = (path: string) => (): Load => {
    const people = readers.admins.map(({ headers }) => [get(path, headers)]);
    return { kind: 'repeat', bases: product, people, connections, seconds };
  };
  return {
    name: 'console: summary, beside alert-summary',
    target: { latency: 3 },
    product: load('/api/console/summary/'),
    reference: load('/api/notifications/alert-summary/'),
    check: async () => undefined,
  };
}

/** Removes tokens, which differ each time. */
function withoutTokens(answer: unknown): unknown {
  const { access_token: _, refresh_token: _too, ...rest } = answer as Record<string, unknown>;
  return rest;
}

const loginCalls = ({ members }: World): Call[] => members.map((email, index) => loginCall(email, index + 1));

const refresh = ({ world, product, connections, seconds }: Setting): Case => ({
  name: 'token refresh',
  target: null,
  product: () => ({ kind: 'refresh', base: product, logins: loginCalls(world), connections, seconds }),
  reference: null,
  check: async () => undefined,
});

/** Measures the cost of authentication: the same server and route with and without it. */
function authentication({ plain, readers, connections, seconds }: Setting): Case {
  const load = (path: string) => (): Load => {
    const people = readers.members.map(({ headers }) => [get(path, headers)]);
    return { kind: 'repeat', bases: [plain], people, connections, seconds };
  };
  return {
    name: 'authenticated request, beside one without',
    target: null,
    product: load('/api/bench/account/'),
    reference: load('/api/bench/public/'),
    check: async () => undefined,
  };
}

const passkey = ({ product, connections, passkeySignIns }: Setting): Case => ({
  name: 'sign-in with a passkey',
  target: null,
  product: async () => ({ kind: 'once', base: product, calls: await passkeySignIns(), connections }),
  reference: null,
  check: async () => undefined,
});

const saml = ({ product, connections, samlResponses }: Setting): Case => ({
  name: 'SAML response received',
  target: null,
  product: async () => ({ kind: 'once', base: product, calls: await samlResponses(), connections }),
  reference: null,
  check: async () => undefined,
});

/**
 * The payment of a remittance: the request waits for the payment's workflow. The reference is a workflow of one empty
 * step.
 */
const payment = ({ product, connections, payments }: Setting): Case => ({
  name: 'remittance pay, 25 invoices',
  target: { latency: 3.5 },
  product: (round) => ({ kind: 'once', base: product, calls: payments[round] as Call[], connections }),
  reference: (round) => ({ kind: 'workflow', ...ONE_STEP, count: (payments[round] as Call[]).length, connections }),
  // Product and reference do different work; the status of the payments is checked instead.
  check: async () => undefined,
});

/** A refund: the request waits for the refund's workflow. The reference is a workflow of one empty step. */
const refund = ({ product, connections, payments, refunds }: Setting): Case => ({
  name: 'refund of one of 25 invoices paid at once',
  target: { latency: 4 },
  product: async (round) => ({ kind: 'once', base: product, calls: await refunds(round), connections }),
  reference: (round) => ({ kind: 'workflow', ...ONE_STEP, count: (payments[round] as Call[]).length, connections }),
  check: async () => undefined,
});

/** Case of a gift: the request that opens the page on which the donor can pay. */
const donate = ({ product, connections, payments, giving }: Setting): Case => ({
  name: 'giving: donate until the page is open',
  target: { latency: 3.5 },
  product: (round) => ({
    kind: 'once',
    base: product,
    calls: donateCalls(giving.campaigns, (payments[round] as Call[]).length),
    connections,
  }),
  reference: (round) => ({ kind: 'workflow', ...ONE_STEP, count: (payments[round] as Call[]).length, connections }),
  check: async () => undefined,
});

/** Case of a pledge: the process that charges a due period, from its start until the period is paid. */
const chargePledges = ({ connections, payments, ownerUrl }: Setting): Case => ({
  name: 'pledge charge: a due period until it is paid',
  target: { latency: 4 },
  product: (round) => ({ kind: 'charge', ownerUrl, count: (payments[round] as Call[]).length, connections }),
  reference: (round) => ({ kind: 'workflow', ...ONE_STEP, count: (payments[round] as Call[]).length, connections }),
  check: async () => undefined,
});

/**
 * A small read of one tenant while another tenant's officer sends a burst, compared with the same read without the
 * burst.
 */
function noisyNeighbour({ world, product, neighbour, burst, seconds }: Setting): Case {
  const call = get(`/api/chapters/${world.neighbour.chapterId}/members/`, neighbour);
  return besideBurst('noisy neighbour: a read beside a burst, and without', { product, seconds, call, burst });
}

/** The feed of a forum while four other people post hostile Markdown, compared with the same read alone. */
function hostileWriters({ product, forumReaders, seconds }: Setting): Case {
  const [reader, ...writers] = forumReaders as [ForumReader, ...ForumReader[]];
  const [call, burst] = [get(feedPath(reader), reader.headers), hostilePosts(writers)];
  return besideBurst('forums: feed beside hostile writers, and without', { product, seconds, call, burst });
}

interface Burst extends Pick<Setting, 'product' | 'seconds' | 'burst'> {
  /** The read that is measured. */
  call: Call;
}

/** Returns the case of a read while other calls are repeated, compared with the same read without them. */
function besideBurst(name: string, { product, seconds, call, burst }: Burst): Case {
  const load = { people: [[call]], connections: NEIGHBOURS, seconds: Math.max(seconds, Math.min(3, 3 * seconds)) };
  return {
    name,
    target: { latency: 3 },
    product: () => ({ kind: 'beside', base: product, ...load, burst }),
    reference: () => ({ kind: 'repeat', bases: [product], ...load }),
    check: async () => void (await ask(product, call)),
  };
}

/** Concurrent readers beside a burst. */
const NEIGHBOURS = 4;

/** Concurrency of the reference loop, the same as the product's. */
const LOOPS: Record<Channel, number> = { email: 10, ios: 50 };

/** Returns the cases that need the notification worker. */
export function deliveryCases({ world, ownerUrl, tellings: count }: Setting): Case[] {
  const { organizationId } = world;
  const delivered = (name: string, channel: Channel): Case => ({
    name,
    target: { rate: 0.5 },
    product: () => ({ kind: 'deliver', channel, ownerUrl, organizationId, count, connections: 1 }),
    reference: () => ({ kind: 'send', channel, count, connections: LOOPS[channel] }),
    check: async () => undefined,
  });
  return [
    delivered('mails delivered, beside a bare loop, ten at a time', 'email'),
    delivered('pushes delivered, beside a bare loop, fifty at a time', 'ios'),
  ];
}
