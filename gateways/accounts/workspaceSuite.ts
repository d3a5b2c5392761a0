/** Accounts at the workspace suite: its directory API, by a service account that acts for an admin of the domain. */
import { admin, type admin_directory_v1 as directory, auth } from '@googleapis/admin';
import { z } from 'zod';
import { config } from '../../config.js';
import { atMost, failureOf, secondsOf, TIMEOUT_MS, wordOf } from './answers.js';
import {
  type AccountProvider,
  AccountMissing,
  CredentialsRefused,
  GroupMissing,
  type NewAccount,
  ProviderBusy,
  ProviderRefused,
  ProviderUnavailable,
  type WorkspaceCredentials,
} from './port.js';

const SCOPES = ['user', 'group.member', 'group.readonly', 'orgunit.readonly', 'domain.readonly'].map(
  (name) => `https://www.googleapis.com/auth/admin.directory.${name}`,
);
/** The library knows no other address of tokens; in development the stand-in answers for it. */
const TOKENS = 'https://oauth2.googleapis.com/token';
/** By which our accounts are known among the ids that others give. */
const OURS = { type: 'custom', customType: 'membership_platform' } as const;

type Failure = 'duplicate' | 'missing' | Error;

/** @param credentials as the organization has them; nothing is asked yet */
export function workspaceSuite(credentials: WorkspaceCredentials, domain: string): AccountProvider {
  const client = clientOf(credentials);
  const api = admin({
    version: 'directory_v1',
    auth: client,
    retry: false,
    ...(config.WORKSPACE_SUITE_URL ? { rootUrl: `${config.WORKSPACE_SUITE_URL}/` } : {}),
  });
  /** @returns what `when` says of an expected failure; other failures are thrown in our words */
  const asked = async <T>(ask: () => Promise<{ data: T }>, when: (failure: Failure) => T | null = () => null) => {
    try {
      return (await ask()).data;
    } catch (error) {
      const failure = failureIn(error);
      const expected = when(failure);
      if (expected !== null) return expected;
      if (failure === 'missing') throw new AccountMissing();
      throw failure === 'duplicate' ? new ProviderRefused(failure) : failure;
    }
  };
  const nobody: directory.Schema$User = {};
  const change = async (userKey: string, requestBody: directory.Schema$User) => {
    await asked(() => api.users.update({ userKey, requestBody }));
  };
  return {
    async at(address) {
      const found = await asked(
        () => api.users.get({ userKey: address, projection: 'full' }),
        (failure) => (failure === 'missing' ? nobody : null),
      );
      if (found.id) return { id: found.id, externalId: externalIdOf(found) };
      // A group has addresses, too, at which nobody gets an account.
      const noGroup: directory.Schema$Group = {};
      const group = await asked(
        () => api.groups.get({ groupKey: address }),
        (failure) => (failure === 'missing' ? noGroup : null),
      );
      return group.email ? { id: group.email, externalId: null } : null;
    },
    async create(account) {
      const made = await asked(
        () => api.users.insert({ requestBody: bodyOf(account) }),
        (failure) => (failure === 'duplicate' ? nobody : null),
      );
      if (made === nobody) return null;
      if (!made.id) throw new ProviderUnavailable('no_id');
      return made.id;
    },
    async join(group, { id }) {
      await asked(
        () => api.members.insert({ groupKey: group, requestBody: { id, role: 'MEMBER' } }),
        (failure) => (failure === 'duplicate' ? {} : null),
      );
    },
    setSuspended: (id, suspended) => change(id, { suspended }),
    setPassword: (id, password) => change(id, { password, changePasswordAtNextLogin: true }),
    async authenticate() {
      await client.getAccessToken().catch((error: unknown) => {
        throw aboutToken(error);
      });
    },
    async findDomain() {
      await asked(() => api.domains.get({ customer: 'my_customer', domainName: domain }));
    },
    async findUnit(unit) {
      await asked(() => api.orgunits.get({ customerId: 'my_customer', orgUnitPath: unit.replace(/^\//, '') }));
    },
    async findGroup(group) {
      await asked<unknown>(
        () => api.groups.get({ groupKey: group }),
        (failure) => {
          if (failure === 'missing') throw new GroupMissing();
          return null;
        },
      );
    },
  };
}

const bodyOf = ({ externalId, address, first_name, last_name, unit, password }: NewAccount): directory.Schema$User => ({
  primaryEmail: address,
  name: { givenName: atMost(60, first_name), familyName: atMost(60, last_name) },
  password,
  changePasswordAtNextLogin: true,
  externalIds: [{ ...OURS, value: externalId }],
  ...(unit === null ? {} : { orgUnitPath: unit }),
});

const ExternalIds = z.array(z.object({ customType: z.string().optional(), value: z.string() })).catch([]);

const externalIdOf = ({ externalIds }: directory.Schema$User): string | null =>
  ExternalIds.parse(externalIds).find(({ customType }) => customType === OURS.customType)?.value ?? null;

function clientOf({ client_email: email, private_key: key, delegated_admin: subject }: WorkspaceCredentials) {
  const client = new auth.JWT({
    email,
    key,
    subject,
    scopes: SCOPES,
    transporterOptions: { timeout: TIMEOUT_MS, redirect: 'error', fetchImplementation: fetch },
  });
  client.transporter.interceptors.request.add({
    // It would try again by itself.
    resolved: async (request) => {
      delete request.retryConfig;
      const forTokens = config.WORKSPACE_SUITE_URL && request.url?.href === TOKENS;
      return forTokens ? Object.assign(request, { url: new URL('/token', config.WORKSPACE_SUITE_URL) }) : request;
    },
  });
  return client;
}

/** An answer of the directory, or of the place where tokens are given. */
const Answered = z.object({
  response: z.object({
    status: z.number(),
    headers: z.instanceof(Headers).optional(),
    config: z.object({ url: z.unknown() }).optional(),
    data: z
      .object({
        error: z.union([
          z.string(),
          z.object({ errors: z.array(z.object({ reason: z.string() })).optional(), status: z.string().optional() }),
        ]),
      })
      .optional()
      .catch(undefined),
  }),
});

/** Its words for what is too much at once, whatever the status. */
const QUOTA = new Set(['quotaExceeded', 'rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded']);

/** What an error of the library means. */
function failureIn(error: unknown): Failure {
  const { response } = Answered.safeParse(error).data ?? {};
  if (!response) return unanswered(error);
  const { status, headers, data } = response;
  const said = data?.error;
  if (typeof said === 'string') return aboutToken(error);
  const reason = wordOf(said?.errors?.[0]?.reason ?? said?.status, `http_${status}`);
  const retryAfter = headers?.get('retry-after') ?? null;
  if (QUOTA.has(reason)) return new ProviderBusy(reason, secondsOf(retryAfter), true);
  if (status === 409 && reason === 'duplicate') return 'duplicate';
  // Another request about the same account is under way, or it is not whole yet.
  if (status === 409 || status === 412) return new ProviderBusy(reason, secondsOf(retryAfter), false);
  if (status === 404) return 'missing';
  return failureOf(status, reason, retryAfter);
}

/** RFC 6749, 5.2: what is refused here is the credentials. */
function aboutToken(error: unknown): Error {
  const { response } = Answered.safeParse(error).data ?? {};
  if (!response) return unanswered(error);
  const code = wordOf(response.data?.error, `token_http_${response.status}`);
  const failure = failureOf(response.status, code, response.headers?.get('retry-after') ?? null);
  return response.status < 500 && response.status !== 429 ? new CredentialsRefused(code) : failure;
}

/** The library did not get as far as an answer: a key that is none, or a network that is none. */
function unanswered(error: unknown): Error {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code.startsWith('ERR_OSSL')) return new CredentialsRefused('private_key_unusable');
  return new ProviderUnavailable(wordOf(code, 'no_answer'));
}
