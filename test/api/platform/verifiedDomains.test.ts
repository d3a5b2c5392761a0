/** Tests verified domains of organizations, and directories trusted for them. */
import { config } from '../../../config.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aPlatformAdmin, aWorld } from '../../support/world.js';
import { aConfiguration } from '../identity/sso/oauth.support.js';

let platform: Client;
let admin: Client;

const directory_id = '11111111-2222-4333-8444-555555555555';
const path = () => `/api/platform/organizations/${world.organizationId}/verified-domains/`;
const configurations = () => `/api/organizations/${world.organizationId}/oauth-configurations/`;

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const { api, world } = apiWorld();
beforeAll(async () => {
  platform = new Client(api.url, { token: (await aPlatformAdmin()).token });
  admin = new Client(api.url, { token: world.admin.token });
});
beforeEach(() => asOwner('DELETE FROM verified_domains'));

let counter = 0;
const given = (fields: object = {}) => ({
  provider: 'cloud_office',
  name: 'Alpha University',
  slug: `directory-${(counter += 1)}`,
  client_id: 'client',
  client_secret: 'secret-of-the-client',
  directory_id,
  allowed_domains: ['alpha.edu', 'mail.alpha.edu'],
  trust_directory_addresses: true,
  ...fields,
});

async function verify(...domains: string[]): Promise<string[]> {
  const made = await Promise.all(domains.map((domain) => platform.post(path(), { domain })));
  expect(made.map(({ status }) => status)).toEqual(domains.map(() => 201));
  return made.map(({ body }) => body.id as string);
}

/** Reports whether a sign-in would take an ID token without a statement about the address as verified. */
async function isVerified(id: string, email = 'sam@alpha.edu'): Promise<boolean> {
  const claims = { sub: 's', tid: directory_id, email };
  const { body } = await admin.post(`${configurations()}${id}/test/`, { claims });
  return body.attributes.email_verified as boolean;
}

test("a platform admin with a recent sign-in verifies an organization's domains, which is audited", async () => {
  const [id] = await verify('Alpha.EDU');
  const { body } = await platform.get(path());
  expect([body.count, body.results]).toEqual([
    1,
    [{ id, domain: 'alpha.edu', verified_at: expect.any(String), verified_by: expect.any(String) }],
  ]);
  expect((await platform.post(path(), { domain: 'alpha.edu' })).body.code).toBe('duplicate');
  expect((await platform.post(path(), { domain: 'no domain' })).status).toBe(400);
  expect((await platform.delete(`${path()}${id}/`)).status).toBe(204);
  expect((await platform.delete(`${path()}${id}/`)).status).toBe(404);
  const entries = await asOwner(
    `SELECT action, before, after FROM audit_log WHERE organization_id = $1 AND subject_type = 'verified_domain' ORDER BY id`,
    [world.organizationId],
  );
  expect(entries).toEqual([
    { action: 'domain.verified', before: null, after: { domain: 'alpha.edu' } },
    { action: 'domain.withdrawn', before: { domain: 'alpha.edu' }, after: null },
  ]);
});

test('other people cannot verify domains, and a platform admin needs a recent sign-in', async () => {
  for (const client of [admin, new Client(api.url, { token: world.member.token })]) {
    expect((await client.post(path(), { domain: 'alpha.edu' })).status).toBe(403);
    expect((await client.get(path())).status).toBe(403);
  }
  expect((await new Client(api.url).get(path())).status).toBe(401);
  const old = await aPlatformAdmin();
  await asOwner(`UPDATE sessions SET auth_time = now() - interval '1 hour' WHERE user_id = $1`, [old.userId]);
  const { body } = await new Client(api.url, { token: old.token }).post(path(), { domain: 'alpha.edu' });
  expect(body.code).toBe('step_up_required');
  const nobody = path().replace(world.organizationId, '01900000-0000-7000-8000-000000000000');
  expect([(await platform.get(nobody)).status, (await platform.post(nobody, { domain: 'alpha.edu' })).status]).toEqual([
    404, 404,
  ]);
});

test('a directory is trusted only when every allowed domain is verified', async () => {
  await verify('alpha.edu');
  const refused = await admin.post(configurations(), given());
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    { trust_directory_addresses: ['The domain mail.alpha.edu is not verified. Ask the platform to verify it first.'] },
  ]);
  await verify('mail.alpha.edu');
  const { status, body } = await admin.post(configurations(), given());
  expect([status, body.trust_directory_addresses, body.verified_domains]).toEqual([
    201,
    true,
    ['alpha.edu', 'mail.alpha.edu'],
  ]);
  const wider = await admin.patch(`${configurations()}${body.id}/`, { allowed_domains: ['alpha.edu', 'beta.edu'] });
  expect([wider.status, Object.keys(wider.body.errors)]).toEqual([400, ['trust_directory_addresses']]);
});

test('an admin cannot trust a directory for a domain that another organization has verified', async () => {
  const other = await aWorld();
  await platform.post(path().replace(world.organizationId, other.organizationId), { domain: 'alpha.edu' });
  const { status } = await admin.post(configurations(), given({ allowed_domains: ['alpha.edu'] }));
  expect(status).toBe(400);
});

test('only a directory can be trusted', async () => {
  await verify('alpha.edu');
  const workspace = given({ provider: 'workspace', directory_id: null, allowed_domains: ['alpha.edu'] });
  expect(Object.keys((await admin.post(configurations(), workspace)).body.errors)).toEqual([
    'trust_directory_addresses',
  ]);
  await aConfiguration(api.url, world, 'no-directory', { provider: 'workspace' });
  const without = asOwner(
    'UPDATE oauth_configurations SET trust_directory_addresses = true WHERE directory_id IS NULL',
  );
  await expect(without).rejects.toThrow(/oauth_configurations_trust/);
});

test('addresses of a trusted directory count while the domain is verified, and no longer from the next sign-in on', async () => {
  const [id] = await verify('alpha.edu');
  const { body } = await admin.post(configurations(), given({ allowed_domains: ['alpha.edu'] }));
  expect([await isVerified(body.id), await isVerified(body.id, 'sam@beta.edu')]).toEqual([true, false]);
  await platform.delete(`${path()}${id}/`);
  expect(await isVerified(body.id)).toBe(false);
  const shown = (await admin.get(`${configurations()}${body.id}/`)).body;
  expect([shown.trust_directory_addresses, shown.verified_domains]).toEqual([true, []]);
});

test('a verified domain has no effect until the admin trusts the directory', async () => {
  await verify('example.org');
  const { id } = await aConfiguration(api.url, world, 'untrusting', { provider: 'cloud_office', directory_id });
  expect(await isVerified(id, 'sam@example.org')).toBe(false);
});
