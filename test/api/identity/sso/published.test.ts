/** Tests how long we cache what providers publish, and which algorithms their keys may sign with. */
import { config } from '../../../../config.js';
import type { Algorithm } from './forger.support.js';
import { adminOf, aForgedWorld, answered, configurationPath, type ForgedWorld } from './forgedWorld.support.js';
import { anApi } from '../../../support/apiWorld.js';

const DISCOVERY = '/.well-known/openid-configuration';

const worlds: ForgedWorld[] = [];

Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true, THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  for (const { forger } of worlds) forger.close();
});

async function aWorldOf(slug: string, fields = {}): Promise<ForgedWorld> {
  const made = await aForgedWorld(api.url, slug, fields);
  worlds.push(made);
  return made;
}

/** @returns the paths that one sign-in requests from the provider, in order */
async function asks(world: ForgedWorld, later = 0): Promise<string[]> {
  world.forger.paths.length = 0;
  if (later > 0) jest.spyOn(Date, 'now').mockReturnValue(Date.now() + later * 1000);
  const { email } = world.member;
  const { end } = await answered(world, { claims: { email, email_verified: true } });
  jest.restoreAllMocks();
  expect([...end.searchParams.keys()]).toEqual(['code']);
  return world.forger.paths;
}

test('a second sign-in requests only the token from the provider', async () => {
  const world = await aWorldOf('warm');
  expect(await asks(world)).toEqual([DISCOVERY, '/jwks', '/token']);
  expect(await asks(world)).toEqual(['/token']);
});

test.each([
  ['max-age', { 'cache-control': 'public, max-age=30' }, 20, 70],
  ['no-store, which holds for a minute all the same', { 'cache-control': 'no-store' }, 50, 70],
  ['nothing', {}, 280, 310],
])('an answer with %s is not cached beyond its time', async (name, headers, before, after) => {
  const world = await aWorldOf(`aged-${name.replace('-', '').slice(0, 3)}`);
  world.forger.headers = { [DISCOVERY]: headers, '/jwks': headers };
  await asks(world);
  expect(await asks(world, before)).toEqual(['/token']);
  expect(await asks(world, after)).toEqual([DISCOVERY, '/jwks', '/token']);
});

test('an answer with a max-age of a year is requested again after a day', async () => {
  const world = await aWorldOf('year');
  const headers = { 'cache-control': 'max-age=31536000' };
  world.forger.headers = { [DISCOVERY]: headers, '/jwks': headers };
  await asks(world);
  expect(await asks(world, 23 * 3600)).toEqual(['/token']);
});

test('an answer with an ETag is revalidated and stays cached if it is unchanged', async () => {
  const world = await aWorldOf('tagged');
  world.forger.headers = { [DISCOVERY]: { etag: '"1"' }, '/jwks': { etag: '"2"' } };
  await asks(world);
  expect(await asks(world, 400)).toEqual([DISCOVERY, '/jwks', '/token']);
  expect(await asks(world, 500)).toEqual(['/token']);
});

test('an unknown key makes us request the keys at once, but only once a minute', async () => {
  const world = await aWorldOf('rolled');
  await asks(world);
  world.forger.changeKey('second');
  expect(await asks(world, 61)).toEqual(['/token', '/jwks']);
  world.forger.paths.length = 0;
  const { email } = world.member;
  for (const kid of ['a', 'b', 'c']) {
    const { end } = await answered(world, { claims: { email, email_verified: true }, header: { kid } });
    expect(end.search).toBe('?error=response_invalid');
  }
  expect(world.forger.paths).toEqual(['/token', '/token', '/token']);
});

test('a change of the configuration clears the cached documents', async () => {
  const world = await aWorldOf('changed');
  await asks(world);
  expect((await adminOf(world).patch(configurationPath(world), { name: 'Changed' })).status).toBe(200);
  expect(await asks(world)).toEqual([DISCOVERY, '/jwks', '/token']);
});

test('a dry run does not use the cache', async () => {
  const world = await aWorldOf('dry');
  await asks(world);
  world.forger.paths.length = 0;
  await adminOf(world).post(`${configurationPath(world)}test/`, {});
  expect(world.forger.paths).toEqual(expect.arrayContaining([DISCOVERY, '/jwks']));
});

test.each<Algorithm>(['RS256', 'PS256', 'ES256'])(
  'a provider with configured addresses may sign with %s',
  async (algorithm) => {
    const world = await aWorldOf(`typed-${algorithm.toLowerCase()}`, { typedIn: true });
    world.forger.changeKey('own', algorithm);
    expect(await asks(world)).toEqual(['/jwks', '/token']);
  },
);

test.each(['HS256', 'none'])('no provider may sign with %s, even if its metadata lists it', async (algorithm) => {
  const world = await aWorldOf(`weak-${algorithm.toLowerCase()}`);
  world.forger.metadata = { id_token_signing_alg_values_supported: [algorithm] };
  const { email } = world.member;
  const claims = { email, email_verified: true };
  const { end } = await answered(world, { claims, header: { alg: algorithm }, signedBy: 'none' });
  expect(end.search).toBe('?error=response_invalid');
});
