/** Accounts at the cloud office. Calls its graph API with the client credentials of an application (RFC 6749, 4.4). */
import { AuthenticationHandler, Client, type Context, HTTPMessageHandler } from '@microsoft/microsoft-graph-client';
import { Agent, fetch, type RequestInit, type Response } from 'undici';
import { z } from 'zod';
import { config } from '../../config.js';
import { atMost, failureOf, secondsOf, TIMEOUT_MS, wordOf } from './answers.js';
import {
  type Account,
  type AccountProvider,
  AccountMissing,
  CredentialsRefused,
  GroupMissing,
  type NewAccount,
  ProviderBusy,
  ProviderRefused,
  ProviderUnavailable,
  type OfficeCredentials,
} from './port.js';

const GRAPH = 'https://graph.microsoft.com';
const LOGIN = 'https://login.microsoftonline.com';
const MAX_RESPONSE_BYTES = 262_144;
/** An access token is renewed this long before it expires. */
const RENEWAL_MARGIN_MS = 60_000;

type Failure = 'exists' | 'missing' | Error;

type Send = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Returns a fetch function that has timeouts, limits the size of responses, and follows no redirects. In development
 * the function trusts the local certificate authority.
 */
function boundedFetch(): Send {
  const dispatcher = new Agent({
    connect: { timeout: TIMEOUT_MS, ...(config.CLOUD_OFFICE_CA ? { ca: config.CLOUD_OFFICE_CA } : {}) },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });
  return (url, init) => fetch(url, { ...init, dispatcher, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/**
 * Returns the provider; no request is made yet.
 * @param credentials as the organization stored them
 */
export function cloudOffice(credentials: OfficeCredentials, domain: string): AccountProvider {
  const send = boundedFetch();
  const tokens = tokensOf(credentials, send);
  const client = clientOf(tokens, send);
  const path = (id: string) => `/users/${encodeURIComponent(id)}`;
  const find = async (key: string): Promise<Account | null> => {
    const user = await runRequest(
      () => client.api(path(key)).select('id,onPremisesImmutableId').get() as Promise<unknown>,
      (failure) => failure === 'missing',
    );
    const { id, onPremisesImmutableId = null } = User.parse(user ?? {});
    return id === undefined ? null : { id, externalId: onPremisesImmutableId };
  };
  const requireExists = (where: string, missing: () => Error) =>
    runRequest(
      () => client.api(where).select('id').get() as Promise<unknown>,
      (failure) => {
        if (failure === 'missing') throw missing();
        return false;
      },
    );
  return {
    at: find,
    async create(account) {
      const created = await runRequest(
        () => client.api('/users').post(bodyOf(account)) as Promise<unknown>,
        (failure) => failure === 'exists',
      );
      if (created === null) return null;
      const { id } = User.parse(created);
      if (id === undefined) throw new ProviderUnavailable('no_id');
      return id;
    },
    async join(group, { id }) {
      const member = { '@odata.id': `${GRAPH}/v1.0/directoryObjects/${id}` };
      try {
        await runRequest(
          () => client.api(`/groups/${encodeURIComponent(group)}/members/$ref`).post(member) as Promise<unknown>,
          (failure) => failure === 'exists',
        );
      } catch (error) {
        // The provider gives the same response for a missing group and for a missing account. Look up the group to tell
        // the two apart.
        if (!(error instanceof AccountMissing)) throw error;
        await requireExists(`/groups/${encodeURIComponent(group)}`, () => new GroupMissing());
        throw error;
      }
    },
    async setSuspended(id, suspended) {
      await runRequest(() => client.api(path(id)).patch({ accountEnabled: !suspended }) as Promise<unknown>);
    },
    async setPassword(id, password) {
      const passwordProfile = { password, forceChangePasswordNextSignIn: true };
      await runRequest(() => client.api(path(id)).patch({ passwordProfile }) as Promise<unknown>);
    },
    async authenticate() {
      await tokens();
    },
    async findDomain() {
      await requireExists(`/domains/${encodeURIComponent(domain)}`, () => new AccountMissing());
    },
    // At this provider the unit is the department of an account, a free text, so there is nothing to look up.
    findUnit: async () => undefined,
    async findGroup(group) {
      await requireExists(`/groups/${encodeURIComponent(group)}`, () => new GroupMissing());
    },
  };
}

/**
 * Runs a request and translates its failure.
 * @param expects reports whether a failure is expected; the result is then null
 * @throws an error of `port.ts`
 */
async function runRequest(
  request: () => Promise<unknown>,
  expects: (failure: Failure) => boolean = () => false,
): Promise<unknown> {
  try {
    return await request();
  } catch (error) {
    const failure = failureIn(error);
    if (expects(failure)) return null;
    if (failure === 'missing') throw new AccountMissing();
    throw failure === 'exists' ? new ProviderRefused(failure) : failure;
  }
}

const User = z.object({ id: z.string().optional(), onPremisesImmutableId: z.string().nullish() });

/**
 * The id of our record becomes the immutable id of the account. It is set on creation, and the provider allows only one
 * account with it.
 */
const bodyOf = ({ externalId, address, first_name, last_name, unit, password }: NewAccount) => ({
  accountEnabled: true,
  displayName: `${first_name} ${last_name}`,
  givenName: atMost(64, first_name),
  surname: atMost(64, last_name),
  userPrincipalName: address,
  mailNickname: address.slice(0, address.indexOf('@')),
  onPremisesImmutableId: externalId,
  passwordProfile: { password, forceChangePasswordNextSignIn: true },
  ...(unit === null ? {} : { department: unit }),
});

/**
 * Returns an API client that sends the token only to the host of the API, and only over https. It does not retry; the
 * caller does.
 */
function clientOf(tokens: () => Promise<string>, send: Send): Client {
  const origin = config.CLOUD_OFFICE_URL ?? GRAPH;
  const authentication = new AuthenticationHandler({ getAccessToken: tokens });
  authentication.setNext(new FetchHandler(send));
  return Client.initWithMiddleware({
    baseUrl: origin,
    defaultVersion: 'v1.0',
    customHosts: new Set([new URL(origin).hostname]),
    middleware: authentication,
  });
}

/** Sends the request. This is the last handler of the client's middleware chain. */
class FetchHandler extends HTTPMessageHandler {
  constructor(private readonly send: Send) {
    super();
  }

  override async execute(context: Context): Promise<void> {
    const url = typeof context.request === 'string' ? context.request : context.request.url;
    context.response = (await this.send(url, (context.options ?? {}) as RequestInit)) as unknown as NonNullable<
      Context['response']
    >;
  }
}

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const TokenFailure = z.object({ error: z.string() }).catch({ error: '' });

/**
 * Returns a function that returns an access token, and requests a new one when the cached one expires.
 * @throws CredentialsRefused, ProviderBusy, ProviderUnavailable
 */
function tokensOf({ tenant_id, client_id, client_secret }: OfficeCredentials, send: Send): () => Promise<string> {
  const address = `${config.CLOUD_OFFICE_URL ?? LOGIN}/${tenant_id}/oauth2/v2.0/token`;
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: `${GRAPH}/.default` };
  let cached: { token: string; until: number } | null = null;
  return async () => {
    if (cached && cached.until > Date.now()) return cached.token;
    const answer = await send(address, { method: 'POST', body: new URLSearchParams(form) }).catch((error: unknown) => {
      throw withoutResponse(error);
    });
    const body: unknown = await answer.json().catch(() => null);
    if (!answer.ok) {
      const code = wordOf(TokenFailure.parse(body).error, `token_http_${answer.status}`);
      const failure = failureOf(answer.status, code, answer.headers.get('retry-after'));
      throw failure instanceof ProviderRefused ? new CredentialsRefused(code) : failure;
    }
    const { data } = Token.safeParse(body);
    if (!data) throw new ProviderUnavailable('no_access_token');
    cached = { token: data.access_token, until: Date.now() + data.expires_in * 1000 - RENEWAL_MARGIN_MS };
    return cached.token;
  };
}

/** The error that the API client throws for a failed response. `body` contains the error as the API sent it. */
const GraphFailure = z.object({
  statusCode: z.number().min(100),
  code: z.string().nullish(),
  body: z.string().optional().catch(undefined),
  headers: z.custom<{ get(name: string): string | null }>().optional(),
});

/** Matches the body of a 400 response that means that the object exists already. */
const EXISTS = /ObjectConflict|already exists?\b|already exist for/i;

/**
 * Translates an error that the API client threw: to `exists` or `missing`, which some calls expect, or to an error of
 * `port.ts`.
 */
function failureIn(error: unknown): Failure {
  if (error instanceof CredentialsRefused || error instanceof ProviderBusy || error instanceof ProviderUnavailable)
    return error;
  const { data } = GraphFailure.safeParse(error);
  if (!data) return withoutResponse(error);
  const { statusCode: status, body, headers } = data;
  const code = wordOf(data.code, `http_${status}`);
  const retryAfter = headers?.get('retry-after') ?? null;
  if (status === 404) return 'missing';
  if (status === 400 && EXISTS.test(body ?? '')) return 'exists';
  // A concurrent request changes the same object.
  if (status === 409 || status === 412) return new ProviderBusy(code, secondsOf(retryAfter), false);
  return failureOf(status, code, retryAfter);
}

/** Returns the error of a request without a response. */
function withoutResponse(error: unknown): Error {
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return new ProviderUnavailable('timeout');
  return new ProviderUnavailable(wordOf(cause?.code ?? code, 'no_answer'));
}
