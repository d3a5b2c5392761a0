/** An organization whose members sign in by a provider with forged answers. */
import { Client } from '../../../support/api.js';
import { asOwner } from '../../../support/owner.js';
import { aWorld, type World } from '../../../support/world.js';
import { type Forger, type Forgery, startForger } from './forger.support.js';
import { aConfiguration } from './oauth.support.js';
import { locationOf } from './oidcProvider.support.js';

export interface ForgedWorld extends World {
  url: string;
  slug: string;
  configurationId: string;
  forger: Forger;
}

/** @param typedIn configures the addresses instead of discovery */
export async function aForgedWorld(
  url: string,
  slug: string,
  { typedIn = false, ...fields } = {},
): Promise<ForgedWorld> {
  const [world, forger] = [await aWorld(), await startForger(`client-${slug}`)];
  const { issuer } = forger;
  const addresses = { authorization_url: `${issuer}/auth`, token_url: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
  const given = { issuer, ...(typedIn ? addresses : {}), ...fields };
  const { id: configurationId } = await aConfiguration(url, world, slug, given);
  return { ...world, url, slug, configurationId, forger };
}

export const adminOf = ({ url, admin }: ForgedWorld) => new Client(url, { token: admin.token });
export const configurationPath = ({ organizationId, configurationId }: ForgedWorld) =>
  `/api/organizations/${organizationId}/oauth-configurations/${configurationId}/`;

/** Goes from the sign-in to the callback. @returns the callback's redirect and the browser */
export async function answered(world: ForgedWorld, forgery: Forgery, client = new Client(world.url)) {
  const begun = locationOf(await client.get(`/api/auth/sso/oauth/${world.slug}/login/`));
  const { state, nonce } = Object.fromEntries(begun.searchParams) as Record<string, string>;
  world.forger.forge(forgery, nonce as string);
  const answer = new URLSearchParams({ code: 'a-code', state: state as string, iss: world.forger.issuer });
  return { end: locationOf(await client.get(`/api/auth/sso/oauth/${world.slug}/callback/?${answer}`)), client };
}

/** @returns a browser signed in as the member of the world, or as the person named by the claims */
export async function signedIn(world: ForgedWorld, claims: Record<string, unknown> = {}): Promise<Client> {
  const { email } = world.member;
  const { end, client } = await answered(world, { claims: { email, email_verified: true, ...claims } });
  const { status } = await client.post('/api/auth/sso/exchange/', { code: end.searchParams.get('code') });
  if (status !== 200) throw new Error(`The sign-in ended with ${end.search}, its exchange with ${status}`);
  return client;
}

export const isSignedIn = async (client: Client): Promise<boolean> =>
  (await client.get('/api/auth/me/')).status === 200;

/** Moves the provider's last answer and the sessions' end into the past by this interval. */
export const answeredEarlier = (configurationId: string, interval: string) =>
  asOwner(
    `UPDATE sessions SET provider_answered_at = provider_answered_at - $2::interval,
            expires_at = least(expires_at, app.provider_due_at(provider_answered_at - $2::interval, connection_id))
      WHERE connection_id = $1`,
    [configurationId, interval],
  );
