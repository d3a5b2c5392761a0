/** Accounts at the cloud office: its graph API, by an application that may act by itself (RFC 6749, 4.4). */
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
const LARGEST_ANSWER = 262_144;
/** A token is asked for anew so long before it runs out. */
const SPARE_MS = 60_000;

type Failure = 'exists' | 'missing' | Error;

type Send = (url: string, init: RequestInit) => Promise<Response>;

/** Bounded, and nowhere else than where it is sent; in development to a certificate of this machine's own authority. */
function sender(): Send {
  const dispatcher = new Agent({
    connect: { timeout: TIMEOUT_MS, ...(config.CLOUD_OFFICE_CA ? { ca: config.CLOUD_OFFICE_CA } : {}) },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: LARGEST_ANSWER,
  });
  return (url, init) => fetch(url, { ...init, dispatcher, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/** @param credentials as the organization has them; nothing is asked yet */
export function cloudOffice(credentials: OfficeCredentials, domain: string): AccountProvider {
  const send = sender();
  const tokens = tokensOf(credentials, send);
  const client = clientOf(tokens, send);
  const path = (id: string) => `/users/${encodeURIComponent(id)}`;
  const find = async (key: string): Promise<Account | null> => {
    const found = await answered(
      () => client.api(path(key)).select('id,onPremisesImmutableId').get() as Promise<unknown>,
      (failure) => failure === 'missing',
    );
    const { id, onPremisesImmutableId = null } = User.parse(found ?? {});
    return id === undefined ? null : { id, externalId: onPremisesImmutableId };
  };
  const look = (where: string, missing: () => Error) =>
    answered(
      () => client.api(where).select('id').get() as Promise<unknown>,
      (failure) => {
        if (failure === 'missing') throw missing();
        return false;
      },
    );
  return {
    at: find,
    async create(account) {
      const made = await answered(
        () => client.api('/users').post(bodyOf(account)) as Promise<unknown>,
        (failure) => failure === 'exists',
      );
      if (made === null) return null;
      const { id } = User.parse(made);
      if (id === undefined) throw new ProviderUnavailable('no_id');
      return id;
    },
    async join(group, { id }) {
      const member = { '@odata.id': `${GRAPH}/v1.0/directoryObjects/${id}` };
      try {
        await answered(
          () => client.api(`/groups/${encodeURIComponent(group)}/members/$ref`).post(member) as Promise<unknown>,
          (failure) => failure === 'exists',
        );
      } catch (error) {
        // It does not say which of the two is missing.
        if (!(error instanceof AccountMissing)) throw error;
        await look(`/groups/${encodeURIComponent(group)}`, () => new GroupMissing());
        throw error;
      }
    },
    async setSuspended(id, suspended) {
      await answered(() => client.api(path(id)).patch({ accountEnabled: !suspended }) as Promise<unknown>);
    },
    async setPassword(id, password) {
      const passwordProfile = { password, forceChangePasswordNextSignIn: true };
      await answered(() => client.api(path(id)).patch({ passwordProfile }) as Promise<unknown>);
    },
    async authenticate() {
      await tokens();
    },
    async findDomain() {
      await look(`/domains/${encodeURIComponent(domain)}`, () => new AccountMissing());
    },
    // A department is a word, and nothing that could be missing.
    findUnit: async () => undefined,
    async findGroup(group) {
      await look(`/groups/${encodeURIComponent(group)}`, () => new GroupMissing());
    },
  };
}

/** @param expects of which failure the answer is null @throws in our words */
async function answered(
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

/** The record's id is the immutable one: it is set with the account, and of two accounts with the same the office makes one. */
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

/** The client sends the token to these hosts alone, by https, and asks once: waiting is ours. */
function clientOf(tokens: () => Promise<string>, send: Send): Client {
  const origin = config.CLOUD_OFFICE_URL ?? GRAPH;
  const authentication = new AuthenticationHandler({ getAccessToken: tokens });
  authentication.setNext(new Sending(send));
  return Client.initWithMiddleware({
    baseUrl: origin,
    defaultVersion: 'v1.0',
    customHosts: new Set([new URL(origin).hostname]),
    middleware: authentication,
  });
}

/** The last link of the client's chain. */
class Sending extends HTTPMessageHandler {
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

/** An access token, asked for when there is none that lasts. @throws CredentialsRefused, ProviderBusy, ProviderUnavailable */
function tokensOf({ tenant_id, client_id, client_secret }: OfficeCredentials, send: Send): () => Promise<string> {
  const address = `${config.CLOUD_OFFICE_URL ?? LOGIN}/${tenant_id}/oauth2/v2.0/token`;
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: `${GRAPH}/.default` };
  let kept: { token: string; until: number } | null = null;
  return async () => {
    if (kept && kept.until > Date.now()) return kept.token;
    const answer = await send(address, { method: 'POST', body: new URLSearchParams(form) }).catch((error: unknown) => {
      throw unanswered(error);
    });
    const body: unknown = await answer.json().catch(() => null);
    if (!answer.ok) {
      const code = wordOf(TokenFailure.parse(body).error, `token_http_${answer.status}`);
      const failure = failureOf(answer.status, code, answer.headers.get('retry-after'));
      throw failure instanceof ProviderRefused ? new CredentialsRefused(code) : failure;
    }
    const { data } = Token.safeParse(body);
    if (!data) throw new ProviderUnavailable('no_access_token');
    kept = { token: data.access_token, until: Date.now() + data.expires_in * 1000 - SPARE_MS };
    return kept.token;
  };
}

/** What the client throws of an answer. `body` has the error as the office wrote it. */
const GraphFailure = z.object({
  statusCode: z.number().min(100),
  code: z.string().nullish(),
  body: z.string().optional().catch(undefined),
  headers: z.custom<{ get(name: string): string | null }>().optional(),
});

/** Of a refused body, that there is one like it. */
const EXISTS = /ObjectConflict|already exists?\b|already exist for/i;

/** What an error of the client means. */
function failureIn(error: unknown): Failure {
  if (error instanceof CredentialsRefused || error instanceof ProviderBusy || error instanceof ProviderUnavailable)
    return error;
  const { data } = GraphFailure.safeParse(error);
  if (!data) return unanswered(error);
  const { statusCode: status, body, headers } = data;
  const code = wordOf(data.code, `http_${status}`);
  const retryAfter = headers?.get('retry-after') ?? null;
  if (status === 404) return 'missing';
  if (status === 400 && EXISTS.test(body ?? '')) return 'exists';
  // Another request about the same object is under way.
  if (status === 409 || status === 412) return new ProviderBusy(code, secondsOf(retryAfter), false);
  return failureOf(status, code, retryAfter);
}

/** There was no answer. */
function unanswered(error: unknown): Error {
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return new ProviderUnavailable('timeout');
  return new ProviderUnavailable(wordOf(cause?.code ?? code, 'no_answer'));
}
