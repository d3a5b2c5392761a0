/** Tests refused sign-ins: what the browser sees, what the log says, and what the organization's admins list. */
import { config } from '../../../config.js';
import { log } from '../../../models/log.js';
import { isNavigation } from '../../../api/identity/sso/returnToCallback.js';
import { allRoutes } from '../../../api/routes.js';
import { Client, startApi } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';
import { asOwner, overOwner } from '../../support/owner.js';
import { eventually } from '../../support/platform.js';
import { EMAIL_OID, type ResponseFields } from '../../support/samlProvider.js';
import {
  aSamlWorld,
  beginSignIn,
  postForm,
  postResponse,
  type SamlWorld,
  signedResponse,
  signInBySaml,
} from '../../support/samlWorld.js';

const WEB = 'http://localhost:3000/auth/sso/callback';
const APP = 'membership://auth/sso/callback';

let world: SamlWorld;
let admin: Client;

const api = anApi();
beforeAll(async () => {
  world = await aSamlWorld(api.url);
  admin = new Client(api.url, { token: world.admin.token });
});
beforeEach(() => asOwner('DELETE FROM throttles'));

const base = (slug = world.slug) => `/api/auth/sso/saml/${slug}`;
const list = (query = '', client = admin, organization = world.organizationId) =>
  client.get(`/api/organizations/${organization}/sso-refusals/${query}`);
const says = (email: string): Partial<ResponseFields> => ({ nameId: email, attributes: { [EMAIL_OID]: email } });
const stranger = () => says(`new@${world.slug}.edu`);

/** Ends a new sign-in with this response. */
async function end(fields: Partial<ResponseFields>, options: { native?: boolean } = {}): Promise<string> {
  const flow = await beginSignIn(world, options);
  return (await postResponse(world, await signedResponse(world, flow, fields), flow.relayState)).location;
}

describe('a refused sign-in', () => {
  test('a refusal is one log line and one row with request, organization and connection', async () => {
    const logged = jest.spyOn(log, 'warn');
    const flow = await beginSignIn(world);
    const answer = await fetch(`${api.url}${base()}/acs/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Request-Id': 'ask-me-about-it' },
      body: new URLSearchParams({ SAMLResponse: await signedResponse(world, flow, stranger()) }),
    });
    expect(answer.headers.get('location')).toBe(`${WEB}?error=no_account`);
    const facts = { requestId: 'ask-me-about-it', organizationId: world.organizationId };
    expect(logged.mock.calls.map(([facts]) => facts)).toEqual([
      { part: 'sso', ...facts, connectionId: world.configuration.id, code: 'no_account', detail: undefined },
    ]);
    logged.mockRestore();
    const { body } = await list('?reason=no_account');
    expect(body.results[0]).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      connection: { id: world.configuration.id, name: 'Alpha University', slug: world.slug, kind: 'saml' },
      reason: 'no_account',
      detail: null,
      request_id: 'ask-me-about-it',
    });
    expect(JSON.stringify(body)).not.toContain('new@');
  });

  test.each<[string, Partial<ResponseFields>, string, string | null]>([
    ['for another audience', { audience: 'https://elsewhere.example.org' }, 'response_invalid', 'wrong_audience'],
    ['that the provider refuses', { status: 'urn:x' }, 'provider_refused', 'status_not_success'],
    ['with an unusable name', { nameId: 'a\u009bb' }, 'response_invalid', 'unusable_text'],
  ])('the refusal of a response %s names the failed check', async (_name, fields, reason, detail) => {
    expect(await end({ ...says(world.member.email), ...fields })).toBe(`${WEB}?error=${reason}`);
    expect((await list()).body.results[0]).toMatchObject({ reason, detail });
  });

  test('a refused code in another browser is recorded, and an unknown code is not', async () => {
    const flow = await beginSignIn(world);
    const response = await signedResponse(world, flow, says(world.member.email));
    const { location } = await postResponse(world, response, flow.relayState);
    const code = new URL(location).searchParams.get('code');
    const { status } = await new Client(api.url).post('/api/auth/sso/exchange/', { code });
    expect([status, (await list()).body.results[0]]).toMatchObject([
      400,
      { reason: 'code_refused', detail: 'another_client' },
    ]);
    const { count } = (await list()).body;
    await new Client(api.url).post('/api/auth/sso/exchange/', { code: 'nobody' });
    expect((await list()).body.count).toBe(count);
  });

  test('a sign-in that waits too long for another one of the same person can be repeated', async () => {
    await signInBySaml(world, world.member.email, says(world.member.email));
    await overOwner(async (holder) => {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM sso_identities WHERE user_id = $1 FOR UPDATE', [world.member.userId]);
      expect(await end(says(world.member.email))).toBe(`${WEB}?error=temporarily_unavailable`);
      await holder.query('COMMIT');
    });
    expect((await list('?reason=temporarily_unavailable')).body.results[0].detail).toBe('locked');
    expect(await end(says(world.member.email))).toContain('?code=');
  });

  test('a refused sign-in returns to the web or the app where it began', async () => {
    expect([await end(stranger()), await end(stranger(), { native: true })]).toEqual([
      `${WEB}?error=no_account`,
      `${APP}?error=no_account`,
    ]);
  });
});

describe('the list of refusals', () => {
  test('the list is for admins of the organization', async () => {
    const other = await aSamlWorld(api.url);
    await end(stranger());
    expect((await list('', new Client(api.url, { token: other.admin.token }), other.organizationId)).body.count).toBe(
      0,
    );
    expect((await list('', new Client(api.url, { token: other.admin.token }))).status).toBe(404);
    for (const { token } of [world.officer, world.regionalAdmin, world.member])
      expect((await list('', new Client(api.url, { token }))).body.code).toBe('forbidden');
    expect((await list('', new Client(api.url))).status).toBe(401);
  });

  test('the list is paginated and filtered, newest first', async () => {
    await end(stranger());
    await end({ ...says(world.member.email), audience: 'https://elsewhere.example.org' });
    const { body } = await list('?page_size=2');
    expect(body.results.map(({ reason }: { reason: string }) => reason)).toEqual(['response_invalid', 'no_account']);
    expect(body.next).toContain('page=2');
    const only = (await list(`?connection=${world.configuration.id}&reason=no_account`)).body.results;
    expect(new Set(only.map(({ reason }: { reason: string }) => reason))).toEqual(new Set(['no_account']));
    expect((await list(`?connection=${world.organizationId}`)).body.count).toBe(0);
    expect((await list('?reason=nothing')).status).toBe(400);
    expect((await list('?page=9')).body.code).toBe('page_not_found');
  });

  test('refusals are kept for 30 days, at most 20 of a reason in an hour, so that junk does not hide others', async () => {
    const own = await aSamlWorld(api.url);
    Object.assign(config, { THROTTLE_LIMITS: { auth: 10_000 } });
    const busy = await startApi();
    const rubbish = () => postForm(busy.url, `${base(own.slug)}/acs/`, { SAMLResponse: 'x' });
    await Promise.all(Array.from({ length: 40 }, rubbish));
    for (let n = 0; n < 5; n += 1) await rubbish();
    const client = new Client(busy.url, { token: own.admin.token });
    const invalid = async () => (await list('?reason=response_invalid', client, own.organizationId)).body.count;
    // Concurrent requests do not count one another, so some more than 20 may be stored.
    expect(await invalid()).toBeLessThan(45);
    const stored = await invalid();
    await rubbish();
    expect(await invalid()).toBe(stored);
    await postForm(busy.url, `${base(own.slug)}/acs/`, {});
    expect((await list('?reason=request_invalid', client, own.organizationId)).body.count).toBe(1);

    await asOwner("UPDATE sso_refusals SET created_at = now() - interval '31 days' WHERE organization_id = $1", [
      own.organizationId,
    ]);
    expect((await list('', client, own.organizationId)).body.count).toBe(0);
    await rubbish();
    expect(await asOwner('SELECT 1 FROM sso_refusals WHERE organization_id = $1', [own.organizationId])).toHaveLength(
      1,
    );
    Object.assign(config, { THROTTLE_LIMITS: {} });
    await busy.close();
  });
});

describe('browsers that sign in are redirected instead of seeing JSON', () => {
  const go = async (method: string, path: string, headers = {}) => {
    const answer = await fetch(api.url + path, { method, redirect: 'manual', headers });
    return [answer.status, answer.headers.get('location'), await answer.text()];
  };

  test.each([
    ['GET', '/api/auth/sso/saml/nobody/login/', `${WEB}?error=connection_inactive`],
    ['GET', '/api/auth/sso/saml/nobody/login/?platform=native', `${APP}?error=request_invalid`],
    ['GET', '/api/auth/sso/oauth/nobody/login/', `${WEB}?error=connection_inactive`],
    ['GET', '/api/auth/sso/oauth/nobody/callback/', `${WEB}?error=flow_expired`],
    ['GET', '/api/auth/sso/oauth/nobody/login', `${WEB}?error=connection_inactive`],
    ['GET', '/api/auth/sso/saml/%ff/login/', `${WEB}?error=request_invalid`],
    ['GET', '/api/auth/sso/saml/nobody/acs/', `${WEB}?error=request_invalid`],
    ['POST', '/api/auth/sso/saml/nobody/acs/', `${WEB}?error=request_invalid`],
    ['GET', '/api/auth/sso/saml/nobody/sls/', `${WEB}?error=connection_inactive`],
    ['POST', '/api/auth/sso/saml/nobody/sls/', `${WEB}?error=request_invalid`],
    ['GET', `/api/auth/sso/saml/nobody/login/?whatever=1`, `${WEB}?error=request_invalid`],
  ])('a browser at %s %s is redirected', async (method, path, location) => {
    expect(await go(method, path)).toEqual([302, location, '']);
  });

  test('API clients get JSON errors', async () => {
    for (const path of ['/api/auth/sso/saml/nobody/metadata/', '/api/auth/sso/saml/nobody/other/'])
      expect((await new Client(api.url).get(path)).body.code).toBe('not_found');
    expect((await new Client(api.url).get('/api/auth/sso/discover/')).body.code).toBe('validation_error');
    expect((await new Client(api.url).post('/api/auth/sso/exchange/', { code: 'x' })).body.code).toBe(
      'sso_code_invalid',
    );
  });

  test('every redirecting route of a sign-in is a navigation route, and no other route is', () => {
    const sso = allRoutes.filter(({ path }) => path.startsWith('/api/auth/sso/'));
    for (const { path, spec } of sso) expect([path, isNavigation(path)]).toEqual([path, spec.status === 302]);
    for (const { path, spec } of allRoutes)
      expect([path, isNavigation(path)]).toEqual([path, spec.errorsAtCallback === true]);
  });

  test('a throttled sign-in ends at the callback with the time to wait', async () => {
    const native = `?platform=native&code_challenge=${'a'.repeat(43)}`;
    const answers = await Promise.all(Array.from({ length: 25 }, () => go('GET', `${base()}/login/`)));
    expect(answers.filter(([, location]) => location === `${WEB}?error=throttled`)).toHaveLength(5);
    const answer = await fetch(`${api.url}${base()}/login/${native}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${APP}?error=throttled`]);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await list('?reason=throttled')).body.count).toBe(1);
  });

  test('a sign-in is throttled once, at its beginning', async () => {
    for (let n = 0; n < 3; n += 1) await signInBySaml(world, world.member.email);
    const spent = () => asOwner("SELECT scope, hits FROM throttles WHERE scope LIKE 'sso%' AND hits > 0");
    await eventually(spent, (rows) => rows.length === 1);
    expect(await spent()).toEqual([{ scope: 'sso', hits: 3 }]);
  });

  test('failing codes have a throttle of their own', async () => {
    const tries = await Promise.all(
      Array.from({ length: 25 }, () => new Client(api.url).post('/api/auth/sso/exchange/', { code: 'guess' })),
    );
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(5);
    expect((await go('GET', `${base()}/login/`))[1]).toContain('https://idp.example.org/sso');
  });
});

describe('an unsolicited response', () => {
  const unasked = async (flow = { requestId: null as string | null }) => {
    const begun = await beginSignIn(world);
    return signedResponse(world, begun, { ...says(world.member.email), inResponseTo: flow.requestId });
  };

  test('an unsolicited response signs no one in and begins a sign-in of ours', async () => {
    const browser = new Client(api.url);
    const { status, location } = await postResponse(world, await unasked(), 'https://portal.example.org/');
    expect([status, location]).toEqual([302, `http://localhost:8000${base()}/login/?unsolicited=true`]);
    const begun = await browser.get(new URL(location).pathname + new URL(location).search);
    expect(begun.headers.get('location')).toContain('https://idp.example.org/sso?SAMLRequest=');
    expect(browser.cookieNames('sso_flow')).toHaveLength(1);
  });

  test('an unsolicited response with a wrong signature ends at the callback', async () => {
    const forged = Buffer.from(await unasked(), 'base64')
      .toString()
      .replaceAll(world.member.email, world.admin.email);
    const { location } = await postResponse(world, Buffer.from(forged).toString('base64'), '');
    expect(location).toBe(`${WEB}?error=response_invalid`);
  });

  test("an unsolicited response with the RelayState of a sign-in is that sign-in's wrong answer", async () => {
    const { relayState } = await beginSignIn(world, { native: true });
    const { location } = await postResponse(world, await unasked(), relayState);
    expect(location).toBe(`${APP}?error=response_invalid`);
    expect((await list()).body.results[0]).toMatchObject({ reason: 'response_invalid', detail: 'unsolicited' });
  });

  test('unsolicited responses do not redirect a browser forever', async () => {
    const browser = new Client(api.url);
    const ends: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { headers } = await browser.get(`${base()}/login/?unsolicited=true`);
      ends.push((headers.get('location') ?? '').replace(/\?SAMLRequest=.*/, ''));
    }
    const away = 'https://idp.example.org/sso';
    expect(ends).toEqual([away, away, away, `${WEB}?error=response_invalid`, `${WEB}?error=response_invalid`]);
    expect((await browser.get(`${base()}/login/`)).headers.get('location')).toContain(away);
  });
});
