/**
 * The professional network over OAuth 2.0 (RFC 6749, 4.1) and the userinfo endpoint of OpenID Connect Core 1.0 (5.3).
 * The subject comes from the network itself, over TLS and for the token that was just issued, so no ID token has to be
 * verified.
 */
import { z } from 'zod';
import { config } from '../../config.js';
import { sendRequest } from './sendRequest.js';
import { findPost, publish } from './posts.js';
import { CodeRefused, type NetworkPerson, type NetworkPort, NetworkUnavailable } from './port.js';

const MAX_TOKEN_LENGTH = 4_096;

const Tokens = z.object({
  access_token: z.string().min(1).max(MAX_TOKEN_LENGTH),
  refresh_token: z.string().min(1).max(MAX_TOKEN_LENGTH).nullish(),
  expires_in: z.number().int().positive().max(2_147_483_647).nullish(),
});

const Person = z.object({
  sub: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\x20-\x7e]+$/),
  name: z.string().nullish(),
  given_name: z.string().nullish(),
  family_name: z.string().nullish(),
  email: z.string().nullish(),
});

/** Returns the network; null if none is configured. */
export function professionalNetwork(): NetworkPort | null {
  const { SOCIALNET_CLIENT_ID: id, SOCIALNET_CLIENT_SECRET: secret } = config;
  return id === undefined || secret === undefined ? null : networkPort({ id, secret });
}

const networkPort = (client: { id: string; secret: string }): NetworkPort => ({
  authorizationUrl({ state, redirectUri }) {
    const url = new URL(config.SOCIALNET_AUTHORIZATION_URL);
    const parameters = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirectUri,
      scope: config.SOCIALNET_SCOPES,
      state,
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  },

  async redeem({ code, redirectUri }) {
    const tokens = await redeemCode(client, code, redirectUri);
    return {
      ...(await readPerson(tokens.access_token)),
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? null,
      expiresIn: tokens.expires_in ?? null,
    };
  },

  publish,
  find: findPost,
});

async function redeemCode(client: { id: string; secret: string }, code: string, redirectUri: string) {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: client.id,
    client_secret: client.secret,
  };
  const answer = await sendRequest(config.SOCIALNET_TOKEN_URL, { method: 'POST', body: new URLSearchParams(form) });
  // Only these two errors concern the code. Every other error concerns our client (RFC 6749, 5.2), so a new code would
  // not help.
  const { error } = (answer.body ?? {}) as { error?: unknown };
  if (answer.status === 400 && (error === 'invalid_grant' || error === 'invalid_request')) {
    throw new CodeRefused('The network refused the code.');
  }
  return parseBody(Tokens, answer, 'token');
}

async function readPerson(accessToken: string): Promise<NetworkPerson> {
  const answer = await sendRequest(config.SOCIALNET_USERINFO_URL, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  const { sub, name, given_name, family_name, email } = parseBody(Person, answer, 'userinfo');
  const displayName = (name ?? [given_name, family_name].filter(Boolean).join(' ')).replaceAll(/\p{C}/gu, '').trim();
  const address = email?.trim().toLowerCase() ?? '';
  return {
    subject: sub,
    name: Array.from(displayName).slice(0, 200).join('') || null,
    email: /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(address) && address.length <= 254 ? address : null,
  };
}

/**
 * Returns the parsed body.
 * @throws NetworkUnavailable
 */
function parseBody<S extends z.ZodType>(schema: S, answer: { status: number; body: unknown }, what: string) {
  if (answer.status !== 200) throw new NetworkUnavailable(`${what}_${answer.status}`);
  const parsed = schema.safeParse(answer.body);
  if (!parsed.success) throw new NetworkUnavailable(`${what}_malformed`);
  return parsed.data;
}
