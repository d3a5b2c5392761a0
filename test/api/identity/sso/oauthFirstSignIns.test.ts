/** Tests concurrent first sign-ins of a new person: which account they get. */
import { config } from '../../../../config.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { during } from '../../../support/during.js';
import { asOwner } from '../../../support/owner.js';
import { aVerifiedDomain, aWorld, type World } from '../../../support/world.js';
import { aConfiguration } from './oauth.support.js';
import {
  locationOf,
  ProviderBrowser,
  type ProviderAccount,
  type RunningProvider,
  startProvider,
} from './oidcProvider.support.js';

const slug = 'own';

let provider: RunningProvider;
let world: World;

Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true, THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  [world, provider] = [await aWorld(), await startProvider([slug])];
  await aVerifiedDomain(world.organizationId, 'example.org');
  const provisioning = { auto_provision: true, provision_chapter: world.chapterId };
  await aConfiguration(api.url, world, slug, { issuer: provider.issuer, ...provisioning });
});

afterAll(async () => {
  await provider.close();
});

const somebody = (sub: string): ProviderAccount => ({ sub, email: `${sub}@example.org`, email_verified: true });

interface Answered {
  client: Client;
  /** The path of our callback, with the provider's answer. */
  callback: string;
}

/** Takes a sign-in up to the provider's answer. */
async function answered(who: ProviderAccount): Promise<Answered> {
  const client = new Client(api.url);
  const begun = locationOf(await client.get(`/api/auth/sso/oauth/${slug}/login/`));
  return { client, callback: await new ProviderBrowser().signIn(begun.href, who) };
}

/** Sends the answers while another transaction holds the statement's locks; it commits when all of them wait. */
const answerDuring = (statement: string, values: unknown[], flows: Answered[]): Promise<URL[]> =>
  during(
    statement,
    values,
    flows.map(
      ({ client, callback }) =>
        async () =>
          locationOf(await client.get(callback)),
    ),
  );

const subjectsOf = (email: string | undefined) =>
  asOwner('SELECT i.subject FROM users u LEFT JOIN sso_identities i ON i.user_id = u.id WHERE u.email = $1', [email]);

test('three concurrent first sign-ins all succeed as one person', async () => {
  const who = somebody('robin');
  const flows = [await answered(who), await answered(who), await answered(who)];
  const ends = await answerDuring('LOCK TABLE users IN SHARE MODE', [], flows);
  const exchange = ({ client }: Answered, end: URL | undefined) =>
    client.post('/api/auth/sso/exchange/', { code: end?.searchParams.get('code') });
  const signedIn = await Promise.all(flows.map((flow, n) => exchange(flow, ends[n])));
  expect(signedIn.map(({ status, body }) => [status, body.user?.email])).toEqual([1, 2, 3].map(() => [200, who.email]));
  expect(new Set(signedIn.map(({ body }) => body.user.id)).size).toBe(1);
  expect(await subjectsOf(who.email)).toEqual([{ subject: who.sub }]);
});

test('an address that another person has taken meanwhile is not linked', async () => {
  const who = somebody('sasha');
  const takes = `INSERT INTO users (email, first_name, last_name) VALUES ($1, 'Somebody', 'Else')`;
  const [end] = await answerDuring(takes, [who.email], [await answered(who)]);
  expect(end?.search).toBe('?error=no_account');
  expect(await subjectsOf(who.email)).toEqual([{ subject: null }]);
});
