/** The network's stand-in beside the API of a test file, and people who return from it. */
import { createHash, randomBytes } from 'node:crypto';
import { config } from '../../../config.js';
import { type NetworkStandin, PATHS, startNetworkStandin } from '../../../development/standins/socialnet/server.js';
import type { Client, Reply } from '../../support/api.js';

export const CLIENT = { id: 'test-client', secret: 'test-secret-of-the-network' };

/** Starts the network's stand-in and configures the API for it. */
export async function startNetwork(): Promise<NetworkStandin> {
  const network = await startNetworkStandin({ port: 0, client: CLIENT });
  Object.assign(config, {
    SOCIALNET_CLIENT_ID: CLIENT.id,
    SOCIALNET_CLIENT_SECRET: CLIENT.secret,
    SOCIALNET_AUTHORIZATION_URL: network.url + PATHS.authorization,
    SOCIALNET_TOKEN_URL: network.url + PATHS.token,
    SOCIALNET_USERINFO_URL: network.url + PATHS.userinfo,
    SOCIALNET_API_URL: network.url,
    SOCIALNET_TIMEOUT_SECONDS: 3,
  });
  return network;
}

/** A verifier of 43 characters and its SHA-256 challenge (RFC 7636). */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

let people = 0;
export const aStranger = (): string => `stranger-${process.pid}-${(people += 1)}@network.example`;

export interface Agreement {
  email?: string;
  name?: string;
  decision?: 'allow' | 'deny';
}

/** Opens the page of the network and answers it as a browser would. @returns the address of the redirect */
export async function agree(authorizationUrl: string, answer: Agreement = {}): Promise<URL> {
  const { email = aStranger(), name = 'Jordan Rivera', decision = 'allow' } = answer;
  const shown = await (await fetch(authorizationUrl)).text();
  const hidden = [...shown.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, field = '', value = '']) => [field, value.replaceAll('&amp;', '&')],
  );
  const form = new URLSearchParams({ ...Object.fromEntries(hidden), name, email, decision });
  const back = await fetch(authorizationUrl.split('?')[0] as string, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  if (back.status !== 303) throw new Error(`The network answered ${back.status}: ${await back.text()}`);
  return new URL(back.headers.get('location') as string);
}

export interface Returned {
  code: string;
  state: string;
}

export const parametersOf = (address: URL): Returned => ({
  code: address.searchParams.get('code') ?? '',
  state: address.searchParams.get('state') ?? '',
});

/** Goes to the network and returns with its answer. */
export async function goAndReturn(client: Client, begin: object = {}, agreement: Agreement = {}): Promise<Returned> {
  const { status, body } = await client.post('/api/socialnet/initiate/', begin);
  if (status !== 200) throw new Error(`The link was not begun: ${status} ${JSON.stringify(body)}`);
  return parametersOf(await agree(body.authorization_url, agreement));
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
export const comeBack = (client: Client, body: object): Promise<Reply<any>> =>
  client.post('/api/socialnet/callback/', body);
