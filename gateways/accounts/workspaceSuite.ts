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
/**
 * Address of the token endpoint, which is fixed in the library. In development, requests to it are redirected to the
 * stand-in.
 */
const TOKENS = 'https://oauth2.googleapis.com/token';
/**
 * Type of the external id that this platform gives to an account. It distinguishes that id from external ids of other
 * applications on the same account.
 */
const OUR_ID_TYPE = { type: 'custom', customType: 'membership_platform' } as const;

type Failure = 'duplicate' | 'missing' | Error;

/**
 * Returns the provider; no request is made yet.
 * @param credentials as the organization stored them
 */
export function workspaceSuite(credentials: WorkspaceCredentials, domain: string): AccountProvider {
  const client = clientOf(credentials);
  const api = admin({
    version: 'directory_v1',
    auth: client,
    retry: false,
    ...(config.WORKSPACE_SUITE_URL ? { rootUrl: `${config.WORKSPACE_SUITE_URL}/` } : {}),
  });
  /**
   * Runs a request and translates its failure.
   * @returns the response; for an expected failure the result of `expectedResult`
   */
  const runRequest = async <T>(
    ask: () => Promise<{ data: T }>,
    expectedResult: (failure: Failure) => T | null = () => null,
  ) => {
    try {
      return (await ask()).data;
    } catch (error) {
      const failure = failureIn(error);
      const expected = expectedResult(failure);
      if (expected !== null) return expected;
      if (failure === 'missing') throw new AccountMissing();
      throw failure === 'duplicate' ? new ProviderRefused(failure) : failure;
    }
  };
  const noUser: directory.Schema$User = {};
  const change = async (userKey: string, requestBody: directory.Schema$User) => {
    await runRequest(() => api.users.update({ userKey, requestBody }));
  };
  return {
    async at(address) {
      const user = await runRequest(
        () => api.users.get({ userKey: address, projection: 'full' }),
        (failure) => (failure === 'missing' ? noUser : null),
      );
      if (user.id) return { id: user.id, externalId: externalIdOf(user) };
      // The address may belong to a group, and then no account can get it. So look up the group too; if it exists, the
      // address counts as taken.
      const noGroup: directory.Schema$Group = {};
      const group = await runRequest(
        () => api.groups.get({ groupKey: address }),
        (failure) => (failure === 'missing' ? noGroup : null),
      );
      return group.email ? { id: group.email, externalId: null } : null;
    },
    async create(account) {
      const created = await runRequest(
        () => api.users.insert({ requestBody: bodyOf(account) }),
        (failure) => (failure === 'duplicate' ? noUser : null),
      );
      if (created === noUser) return null;
      if (!created.id) throw new ProviderUnavailable('no_id');
      return created.id;
    },
    async join(group, { id }) {
      await runRequest(
        () => api.members.insert({ groupKey: group, requestBody: { id, role: 'MEMBER' } }),
        (failure) => (failure === 'duplicate' ? {} : null),
      );
    },
    setSuspended: (id, suspended) => change(id, { suspended }),
    setPassword: (id, password) => change(id, { password, changePasswordAtNextLogin: true }),
    async authenticate() {
      await client.getAccessToken().catch((error: unknown) => {
        throw tokenFailureOf(error);
      });
    },
    async findDomain() {
      await runRequest(() => api.domains.get({ customer: 'my_customer', domainName: domain }));
    },
    async findUnit(unit) {
      await runRequest(() => api.orgunits.get({ customerId: 'my_customer', orgUnitPath: unit.replace(/^\//, '') }));
    },
    async findGroup(group) {
      await runRequest<unknown>(
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
  externalIds: [{ ...OUR_ID_TYPE, value: externalId }],
  ...(unit === null ? {} : { orgUnitPath: unit }),
});

const ExternalIds = z.array(z.object({ customType: z.string().optional(), value: z.string() })).catch([]);

const externalIdOf = ({ externalIds }: directory.Schema$User): string | null =>
  ExternalIds.parse(externalIds).find(({ customType }) => customType === OUR_ID_TYPE.customType)?.value ?? null;

function clientOf({ client_email: email, private_key: key, delegated_admin: subject }: WorkspaceCredentials) {
  const client = new auth.JWT({
    email,
    key,
    subject,
    scopes: SCOPES,
    transporterOptions: { timeout: TIMEOUT_MS, redirect: 'error', fetchImplementation: fetch },
  });
  client.transporter.interceptors.request.add({
    // Turns off the retries of the library.
    resolved: async (request) => {
      delete request.retryConfig;
      const isRedirectedTokenRequest = config.WORKSPACE_SUITE_URL && request.url?.href === TOKENS;
      return isRedirectedTokenRequest
        ? Object.assign(request, { url: new URL('/token', config.WORKSPACE_SUITE_URL) })
        : request;
    },
  });
  return client;
}

/** A failed response of the directory or of the token endpoint. */
const FailedResponse = z.object({
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

/** Error codes of the provider's rate limits. The codes are needed, because the limits have no common HTTP status. */
const QUOTA = new Set(['quotaExceeded', 'rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded']);

/**
 * Translates an error that the API library threw: to `duplicate` or `missing`, which some calls expect, or to an error
 * of `port.ts`.
 */
function failureIn(error: unknown): Failure {
  const { response } = FailedResponse.safeParse(error).data ?? {};
  if (!response) return withoutResponse(error);
  const { status, headers, data } = response;
  const apiError = data?.error;
  if (typeof apiError === 'string') return tokenFailureOf(error);
  const reason = wordOf(apiError?.errors?.[0]?.reason ?? apiError?.status, `http_${status}`);
  const retryAfter = headers?.get('retry-after') ?? null;
  if (QUOTA.has(reason)) return new ProviderBusy(reason, secondsOf(retryAfter), true);
  if (status === 409 && reason === 'duplicate') return 'duplicate';
  // A concurrent request changes the same account, or the account is still being created.
  if (status === 409 || status === 412) return new ProviderBusy(reason, secondsOf(retryAfter), false);
  if (status === 404) return 'missing';
  return failureOf(status, reason, retryAfter);
}

/** Translates a failure of the token endpoint (RFC 6749, 5.2): a refusal there means wrong credentials. */
function tokenFailureOf(error: unknown): Error {
  const { response } = FailedResponse.safeParse(error).data ?? {};
  if (!response) return withoutResponse(error);
  const code = wordOf(response.data?.error, `token_http_${response.status}`);
  const failure = failureOf(response.status, code, response.headers?.get('retry-after') ?? null);
  return response.status < 500 && response.status !== 429 ? new CredentialsRefused(code) : failure;
}

/** Returns the error of a request without a response: an unusable key, or a network failure. */
function withoutResponse(error: unknown): Error {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code.startsWith('ERR_OSSL')) return new CredentialsRefused('private_key_unusable');
  return new ProviderUnavailable(wordOf(code, 'no_answer'));
}
