/** The certified provider of `oidc-provider.child.mjs`, and a browser that walks through it. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
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

/** @param slugs of the configurations whose client `client-<slug>` it knows */
export async function startProvider(slugs: string[]): Promise<RunningProvider> {
  const clients = slugs.map((slug) => ({
    client_id: `client-${slug}`,
    client_secret: `secret-of-${slug}`,
    redirect_uris: [redirectUri(slug)],
  }));
  const script = path.resolve('test/api/identity/sso/oidcProvider.child.mjs');
  const child = spawn(process.execPath, [script, JSON.stringify(clients)], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: { PATH: process.env['PATH'] },
  });
  return { issuer: await issuerOf(child), close: () => stop(child) };
}

function issuerOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The provider ended before it began.')));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (line.startsWith('issuer ')) resolve(line.slice(7));
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await ended;
}

/** A browser's session at the provider: cookies, and nothing else. */
export class ProviderBrowser {
  private readonly cookies = new Map<string, string>();

  /** Walks through the provider. @returns the callback that it leads to, as a path with its query */
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

/** From the button to the callback of the platform. @returns where that is */
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

/** A sign-in of the web, whose code is exchanged too. */
export async function signInByOAuth(client: Client, signIn: SignIn) {
  const end = await walk(client, signIn);
  const code = end.searchParams.get('code');
  if (code === null) throw new Error(`The sign-in ended with ${end.search}`);
  return client.post('/api/auth/sso/exchange/', { code });
}
