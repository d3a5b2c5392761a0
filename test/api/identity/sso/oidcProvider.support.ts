/** A certified OpenID provider, and a browser that follows its pages. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type InteractionResults, Provider } from 'oidc-provider';
import { Memory } from '../../../../development/standins/oidc/memory.js';
import { signingKey } from '../../../../development/standins/oidc/provider.js';
import type { Client } from '../../../support/api.js';

export interface ProviderAccount {
  sub: string;
  email?: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
}

export interface RunningProvider {
  issuer: string;
  close(): Promise<void>;
}

const BACKEND = 'http://localhost:8000';
const redirectUri = (slug: string) => `${BACKEND}/api/auth/sso/oauth/${slug}/callback/`;

/** @param slugs of the configurations whose client `client-<slug>` the provider knows */
export async function startProvider(slugs: string[]): Promise<RunningProvider> {
  const clients = slugs.map((slug) => ({
    client_id: `client-${slug}`,
    client_secret: `secret-of-${slug}`,
    redirect_uris: [redirectUri(slug)],
  }));
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, ProviderAccount>();
  const provider = new Provider(issuer, {
    adapter: Memory,
    jwks: { keys: [signingKey()] },
    clients,
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    cookies: { keys: ['cookie-key-of-a-test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...accounts.get(id), sub: id }) }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '', issuer);
    const isInteraction = url.pathname.startsWith('/interaction/');
    const work = isInteraction
      ? interact(provider, accounts, url.searchParams, request, response)
      : answer(request, response);
    work.catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { issuer, close };
}

/** The page that people would fill in: the test decides who they are, or that they refuse. */
async function interact(
  provider: Provider,
  accounts: Map<string, ProviderAccount>,
  query: URLSearchParams,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  const finish = (result: InteractionResults, mergeWithLastSubmission = false) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission });
  const deny = query.get('deny');
  if (deny) return finish({ error: 'access_denied', error_description: deny });
  if (prompt.name === 'login') {
    const account = JSON.parse(query.get('account') ?? '') as ProviderAccount;
    accounts.set(account.sub, account);
    return finish({ login: { accountId: account.sub } });
  }
  const grant = new provider.Grant({
    accountId: session?.accountId as string,
    clientId: params['client_id'] as string,
  });
  grant.addOIDCScope('openid email profile');
  return finish({ consent: { grantId: await grant.save() } }, true);
}

/** A browser's session at the provider: only its cookies. */
export class ProviderBrowser {
  private readonly cookies = new Map<string, string>();

  /** Follows the pages of the provider. @returns the callback that they lead to, as a path with its query */
  async signIn(authorization: string, who: ProviderAccount | { deny: string }): Promise<string> {
    let url = new URL(authorization);
    for (let step = 0; step < 12; step += 1) {
      if (url.origin === BACKEND) return url.pathname + url.search;
      if (url.pathname.startsWith('/interaction/')) {
        if ('deny' in who) url.searchParams.set('deny', who.deny);
        else url.searchParams.set('account', JSON.stringify(who));
      }
      const response = await fetch(url, { redirect: 'manual', headers: { Cookie: this.header() } });
      for (const line of response.headers.getSetCookie()) this.keep(line);
      const location = response.headers.get('location');
      if (!location) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
      url = new URL(location, url);
    }
    throw new Error('The provider leads nowhere.');
  }

  private header = (): string => [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  private keep(line: string): void {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export interface SignIn {
  slug: string;
  who: ProviderAccount | { deny: string };
  query?: string;
  browser?: ProviderBrowser;
}

/** Follows the sign-in from the button to the callback of the platform. @returns the callback's address */
export async function walk(client: Client, { slug, who, query = '', browser }: SignIn): Promise<URL> {
  const begun = await client.get(`/api/auth/sso/oauth/${slug}/login/${query}`);
  if (begun.status !== 302) throw new Error(`The sign-in did not begin: ${begun.status} ${JSON.stringify(begun.body)}`);
  const callback = await (browser ?? new ProviderBrowser()).signIn(begun.headers.get('location') as string, who);
  return locationOf(await client.get(callback));
}

export function locationOf({ status, headers, body }: { status: number; headers: Headers; body: unknown }): URL {
  const location = headers.get('location');
  if (status !== 302 || !location) throw new Error(`No redirect: ${status} ${JSON.stringify(body)}`);
  return new URL(location);
}

/** Signs in on the web and exchanges the code. */
export async function signInByOAuth(client: Client, signIn: SignIn) {
  const end = await walk(client, signIn);
  const code = end.searchParams.get('code');
  if (code === null) throw new Error(`The sign-in ended with ${end.search}`);
  return client.post('/api/auth/sso/exchange/', { code });
}
