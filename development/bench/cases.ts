/** Every case: what is measured, and beside what. */
import { isDeepStrictEqual } from 'node:util';
import { bareRate } from './bareStatement.js';
import type { Case, Setting, Target } from './case.js';
import { type Call, type Channel, type Load, ONE_STEP } from './protocol.js';
import { ask, loginCall, type World } from './world.js';
import { apply, markRead } from './writes.js';

/** Every case, in the order in which they run. */
export function casesOf(setting: Setting): Case[] {
  const { world, officer, admin, readers } = setting;
  const get = (path: string, headers: Record<string, string>): Call => ({ method: 'GET', path, headers });
  const organization = `/api/organizations/${world.organizationId}/`;
  const roster = `/api/chapters/${world.chapterId}/members/`;
  const read = (name: string, rate: number, path: string, headers: Record<string, string>): Case => ({
    ...repeated(setting, name, { rate }, [get(path, headers)]),
    limit: () => bareRate(path, setting.bare),
  });
  return [
    read('roster of a chapter', 1.2, roster, officer),
    read("organization's overdue invoices", 1, `${organization}invoices/?status=overdue&ordering=-due_date`, admin),
    read('organization detail', 0.6, organization, officer),
    repeated(
      setting,
      'organization detail, by sixteen people',
      null,
      readers.map(({ headers, organizationId }) => get(`/api/organizations/${organizationId}/`, headers)),
    ),
    read('unread notifications', 0.7, '/api/notifications/?is_read=false', officer),
    repeated(setting, 'money: whom a chapter talks to', { rate: 0.8 }, [
      get(`/api/billing/roster/?chapter=${world.chapterId}`, officer),
    ]),
    repeated(setting, "money: a chapter's own ledger", { rate: 0.8 }, [
      get(`/api/chapters/${world.chapterId}/finances/ledger/`, officer),
    ]),
    markRead(setting),
    apply(setting),
    repeated(setting, 'log-in', null, loginCalls(world)),
    refresh(setting),
    authentication(setting),
    passkey(setting),
    saml(setting),
    payment(setting),
    refund(setting),
    noisyNeighbour(setting),
  ];
}

function repeated(
  { both: { product, reference }, connections, seconds }: Setting,
  name: string,
  target: Target,
  calls: Call[],
): Case {
  const load = (bases: string[]) => (): Load => ({ kind: 'repeat', bases, calls, connections, seconds });
  return {
    name,
    target,
    product: load(product),
    reference: load(reference),
    async check() {
      const [ours, theirs] = await Promise.all(
        [product, reference].map(([base]) => ask(base as string, calls[0] as Call)),
      );
      if (!isDeepStrictEqual(withoutTokens(ours), withoutTokens(theirs)))
        throw new Error(`${name}: product and reference do not answer the same.`);
    },
  };
}

/** New ones each time. */
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

/** What it costs to know who asks: the same route of the same server, for a person and for anybody. */
function authentication({ plain, officer, connections, seconds }: Setting): Case {
  const load = (path: string) => (): Load => {
    const calls: Call[] = [{ method: 'GET', path, headers: officer }];
    return { kind: 'repeat', bases: [plain], calls, connections, seconds };
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

/** A request that waits for its process, beside a workflow of one empty step that is waited for. */
const payment = ({ product, connections, payments }: Setting): Case => ({
  name: 'remittance pay, 25 invoices',
  target: { latency: 3.5 },
  product: (round) => ({ kind: 'once', base: product, calls: payments[round] as Call[], connections }),
  reference: (round) => ({ kind: 'workflow', ...ONE_STEP, count: (payments[round] as Call[]).length, connections }),
  // They do different work; that the payments went well is checked by their status.
  check: async () => undefined,
});

/** Likewise: it waits for the process that gives the money back. */
const refund = ({ product, connections, payments, refunds }: Setting): Case => ({
  name: 'refund of one of 25 invoices paid at once',
  target: { latency: 4 },
  product: async (round) => ({ kind: 'once', base: product, calls: await refunds(round), connections }),
  reference: (round) => ({ kind: 'workflow', ...ONE_STEP, count: (payments[round] as Call[]).length, connections }),
  check: async () => undefined,
});

/** A small read of one tenant while another's officer does too much at once, beside the same read in peace. */
function noisyNeighbour({ world, product, neighbour, burst, seconds }: Setting): Case {
  const calls: Call[] = [
    { method: 'GET', path: `/api/chapters/${world.neighbour.chapterId}/members/`, headers: neighbour },
  ];
  const load = { calls, connections: NEIGHBOURS, seconds: Math.max(seconds, Math.min(3, 3 * seconds)) };
  return {
    name: 'noisy neighbour: a read beside a burst, and without',
    target: { latency: 3 },
    product: () => ({ kind: 'beside', base: product, ...load, burst }),
    reference: () => ({ kind: 'repeat', bases: [product], ...load }),
    check: async () => void (await ask(product, calls[0] as Call)),
  };
}

/** People of the quiet tenant who ask at the same time. */
const NEIGHBOURS = 4;

/** As many of a loop at any time as the product has. */
const LOOPS: Record<Channel, number> = { email: 10, ios: 50 };

/** Cases that need the worker of what is told. */
export function tellingCases({ world, ownerUrl, tellings: count }: Setting): Case[] {
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
