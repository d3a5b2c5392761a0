/** Tests SAML configurations: who edits them, accepted values, and what is stored. */
import { config } from '../../../config.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import {
  aSamlProvider,
  base64,
  EMAIL_OID,
  responseXml,
  responseFieldsFor,
  type SamlProvider,
  signXml,
} from '../../support/samlProvider.js';
import { countStatements } from '../../support/statements.js';
import { aPlatformAdmin, aVerifiedDomain, aWorld, type World } from '../../support/world.js';

let provider: SamlProvider;
let admin: Client;
let sequence = 0;

const { api, world, other } = apiWorld();
beforeAll(async () => {
  provider = await aSamlProvider();
  admin = new Client(api.url, { token: world.admin.token });
});

const base = ({ organizationId }: World) => `/api/organizations/${organizationId}/saml-configurations/`;
const body = (fields: Record<string, unknown> = {}) => ({
  name: 'Alpha University',
  slug: `alpha-${(sequence += 1)}`,
  idp_entity_id: 'https://idp.example.org/metadata',
  sso_url: 'https://idp.example.org/sso',
  certificate: provider.keyPair.certificate,
  ...fields,
});

test('an admin connects, reads, changes and removes an identity provider', async () => {
  const { status, body: made } = await admin.post(base(world), body({ domains: ['Alpha.edu', 'alpha.edu'] }));
  expect(status).toBe(201);
  expect(made).toMatchObject({
    domains: ['alpha.edu'],
    slo_url: null,
    next_certificate: null,
    attribute_mapping: {
      email: EMAIL_OID,
      first_name: 'urn:oid:2.5.4.42',
      last_name: 'urn:oid:2.5.4.4',
      subject: null,
    },
    acs_url: `${config.backendUrl}/api/auth/sso/saml/${made.slug}/acs/`,
    version: 1,
  });
  expect(made.certificate.fingerprint_sha256).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  const path = `${base(world)}${made.id}/`;
  const changed = await admin.patch(path, { name: 'Beta', version: 1 });
  expect([changed.status, changed.body.name, changed.body.version]).toEqual([200, 'Beta', 2]);
  expect((await admin.patch(path, { name: 'Gamma', version: 1 })).body.code).toBe('stale_version');
  expect((await admin.get(path)).body).toEqual(changed.body);
  expect((await admin.get(base(world))).body.results).toContainEqual(changed.body);
  expect((await admin.delete(path)).status).toBe(204);
  expect((await admin.get(path)).status).toBe(404);
});

test('certificates and our key are encrypted and in no answer', async () => {
  const made = await admin.post(base(world), body());
  const [row] = await asOwner('SELECT * FROM saml_configurations WHERE id = $1', [made.body.id]);
  expect(row?.['certificate_encrypted']).toMatch(/^v1\./);
  expect(row?.['sp_private_key_encrypted']).toMatch(/^v1\./);
  expect(JSON.stringify(made.body)).not.toMatch(/BEGIN|PRIVATE|v1\./);
});

test('each configuration has a key of its own', async () => {
  const [one, two] = [(await admin.post(base(world), body())).body, (await admin.post(base(world), body())).body];
  const keys = await asOwner('SELECT DISTINCT sp_certificate FROM saml_configurations WHERE id IN ($1, $2)', [
    one.id,
    two.id,
  ]);
  expect(keys).toHaveLength(2);
});

test.each<[string, Record<string, unknown>]>([
  ['certificate', { certificate: 'no certificate' }],
  ['next_certificate', { next_certificate: 'AAAA' }],
  ['sso_url', { sso_url: 'javascript:alert(1)' }],
  ['slo_url', { slo_url: 'https://user:secret@idp.example.org/' }],
  ['slug', { slug: 'Not a slug' }],
  ['domains.0', { domains: ['nothing'] }],
  ['attribute_mapping.mail', { attribute_mapping: { mail: 'x' } }],
  ['provision_chapter', { auto_provision: true }],
  ['unknown', { unknown: 1 }],
])('a wrong %s is named', async (field, fields) => {
  const { status, body: answer } = await admin.post(base(world), body(fields));
  expect([status, Object.keys(answer.errors)]).toEqual([400, [field]]);
});

test('a slug is unique on the whole platform', async () => {
  const duplicate = body();
  expect((await admin.post(base(world), duplicate)).status).toBe(201);
  const { status, body: answer } = await new Client(api.url, { token: other.admin.token }).post(base(other), duplicate);
  expect([status, answer.code, Object.keys(answer.errors)]).toEqual([409, 'duplicate', ['slug']]);
});

test('only admins of the organization see the configurations', async () => {
  const { id } = (await admin.post(base(world), body())).body;
  const paths = [base(world), `${base(world)}${id}/`];
  for (const path of paths) {
    expect((await new Client(api.url).get(path)).status).toBe(401);
    expect((await new Client(api.url, { token: world.officer.token }).get(path)).status).toBe(403);
    expect((await new Client(api.url, { token: other.admin.token }).get(path)).status).toBe(404);
  }
  const foreign = new Client(api.url, { token: other.admin.token });
  for (const path of [`${base(other)}${id}/`, `${base(other)}00000000-0000-4000-8000-000000000000/`]) {
    expect((await foreign.get(path)).status).toBe(404);
    expect((await foreign.patch(path, { name: 'x' })).status).toBe(404);
    expect((await foreign.delete(path)).status).toBe(404);
    expect((await foreign.post(`${path}test/`, { saml_response: 'x' })).status).toBe(404);
  }
});

test('changes need a recent proof', async () => {
  await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [
    other.admin.userId,
  ]);
  const stale = new Client(api.url, { token: other.admin.token });
  expect((await stale.post(base(other), body())).body.code).toBe('step_up_required');
  expect((await stale.post(`${base(other)}import/`, { metadata: 'x', name: 'x', slug: 'x' })).body.code).toBe(
    'step_up_required',
  );
  expect((await stale.get(base(other))).status).toBe(200);
  await asOwner('UPDATE sessions SET auth_time = now() WHERE user_id = $1', [other.admin.userId]);
});

test('a configuration with an undecryptable certificate is listed as such and accepts another', async () => {
  const { body: made } = await admin.post(base(world), body());
  await asOwner(`UPDATE saml_configurations SET certificate_encrypted = 'v1.gone.x.x.x' WHERE id = $1`, [made.id]);
  const { results } = (await admin.get(`${base(world)}?page_size=100`)).body;
  expect(results).toContainEqual(expect.objectContaining({ id: made.id, certificate: null }));
  const one = `${base(world)}${made.id}/`;
  expect(await admin.patch(one, { name: 'Beta' })).toMatchObject({
    status: 400,
    body: { errors: { certificate: [expect.anything()] } },
  });
  expect(await admin.patch(one, { certificate: provider.keyPair.certificate })).toMatchObject({
    status: 200,
    body: { certificate: { fingerprint_sha256: expect.any(String) } },
  });
  await admin.delete(one);
});

test('the list takes the same number of statements for many as for one', async () => {
  const own = await aWorld();
  const admins = new Client(api.url, { token: own.admin.token });
  const list = () => countStatements(() => admins.get(`${base(own)}?page_size=100`));
  await admins.post(base(own), body());
  await list();
  const one = await list();
  for (let n = 0; n < 3; n += 1) await admins.post(base(own), body());
  expect([await list(), (await admins.get(base(own))).body.count]).toEqual([one, 4]);
});

describe('the import of metadata', () => {
  const send = (metadata: string) =>
    admin.post(`${base(world)}import/`, { metadata, name: 'Imported', slug: `imported-${(sequence += 1)}` });

  test('an import reads the metadata with both certificates of a rollover', async () => {
    const next = await aSamlProvider();
    const key = /<md:KeyDescriptor[\s\S]*<\/md:KeyDescriptor>/;
    const metadata = provider.metadata.replace(key, (own) => own + (key.exec(next.metadata)?.[0] ?? ''));
    const { status, body: made } = await send(`<?xml version="1.0" encoding="UTF-8"?>\n${metadata}`);
    expect(status).toBe(201);
    expect(made).toMatchObject({
      idp_entity_id: provider.entityId,
      sso_url: 'https://idp.example.org/sso',
      slo_url: 'https://idp.example.org/slo',
    });
    expect(made.next_certificate.fingerprint_sha256).not.toBe(made.certificate.fingerprint_sha256);
  });

  test.each<[string, (metadata: string) => string]>([
    ['a document type', (xml) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`],
    ['a bomb', () => '<a>'.repeat(10_000)],
    ['no certificate', (xml) => xml.replace(/<md:KeyDescriptor[\s\S]*<\/md:KeyDescriptor>/, '')],
    ['no sign-in', (xml) => xml.replace('SingleSignOnService', 'Nothing')],
    ['an address that is none', (xml) => xml.replace('https://idp.example.org/sso', 'javascript:alert(1)')],
    ['no XML', () => 'hello'],
  ])('an import refuses metadata with %s', async (_name, change) => {
    const { status, body: answer } = await send(change(provider.metadata));
    expect([status, Object.keys(answer.errors)]).toEqual([400, ['metadata']]);
  });
});

describe('the dry run of a response', () => {
  const flowOf = (made: { acs_url: string; sp_entity_id: string }) => ({
    requestId: '_request',
    acsUrl: made.acs_url,
    spEntityId: made.sp_entity_id,
  });

  test('a dry run shows who would sign in and uses nothing up', async () => {
    const { body: made } = await admin.post(base(world), body());
    const fields = responseFieldsFor(provider, flowOf(made), {
      attributes: { [EMAIL_OID]: 'sam@alpha.edu', groups: 'a' },
    });
    const saml_response = base64(signXml(responseXml(fields), provider.keyPair));
    for (const _twice of [1, 2]) {
      const { status, body: tried } = await admin.post(`${base(world)}${made.id}/test/`, { saml_response });
      expect([status, tried]).toEqual([
        200,
        {
          accepted: true,
          signature_problem: null,
          sign_in_error: 'no_account',
          reason: null,
          detail: null,
          name_id: { value: 'person-1', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
          attributes: { [EMAIL_OID]: ['sam@alpha.edu'], groups: ['a'] },
          person: { subject: 'person-1', email: 'sam@alpha.edu', first_name: null, last_name: null },
        },
      ]);
    }
    const remaining = await asOwner('SELECT id FROM saml_seen_messages WHERE organization_id = $1', [
      world.organizationId,
    ]);
    expect(remaining).toEqual([]);
  });

  test('a dry run reports the outcome of the sign-in without carrying it out', async () => {
    const { body: made } = await admin.post(
      base(world),
      body({ domains: ['alpha.edu'], auto_provision: true, provision_chapter: world.chapterId }),
    );
    const tryAs = async (attributes: Record<string, string>) => {
      const saml_response = base64(
        signXml(responseXml(responseFieldsFor(provider, flowOf(made), { attributes })), provider.keyPair),
      );
      return (await admin.post(`${base(world)}${made.id}/test/`, { saml_response })).body.sign_in_error;
    };
    const platformAdmin = await aPlatformAdmin();
    const [{ email } = { email: '' }] = await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [
      platformAdmin.userId,
    ]);
    expect(await tryAs({ [EMAIL_OID]: world.member.email })).toBeNull();
    expect(await tryAs({ [EMAIL_OID]: 'newcomer@alpha.edu' })).toBe('no_account');
    await aVerifiedDomain(world.organizationId, 'alpha.edu');
    expect(await tryAs({ [EMAIL_OID]: 'newcomer@alpha.edu' })).toBeNull();
    expect((await admin.get(`${base(world)}${made.id}/`)).body.verified_domains).toEqual(['alpha.edu']);
    expect(await tryAs({ [EMAIL_OID]: 'newcomer@elsewhere.edu' })).toBe('no_account');
    expect(await tryAs({ [EMAIL_OID]: other.member.email })).toBe('no_account');
    expect(await tryAs({ [EMAIL_OID]: email })).toBe('no_account');
    expect(await tryAs({ groups: 'a' })).toBe('email_missing');
    const done = await asOwner(
      `SELECT id FROM sso_identities WHERE connection_id = $1
        UNION ALL SELECT id FROM users WHERE email = 'newcomer@alpha.edu'`,
      [made.id],
    );
    expect(done).toEqual([]);
    await admin.patch(`${base(world)}${made.id}/`, { is_active: false });
    expect(await tryAs({ [EMAIL_OID]: world.member.email })).toBe('connection_inactive');
  });

  test('a dry run gives the reason of a refusal and shows no claims', async () => {
    const { body: made } = await admin.post(base(world), body());
    const saml_response = base64(responseXml(responseFieldsFor(provider, flowOf(made))));
    const { body: tried } = await admin.post(`${base(world)}${made.id}/test/`, { saml_response });
    expect(tried).toMatchObject({ accepted: false, reason: 'signature_invalid', attributes: null, person: null });
  });

  test('a dry run is for admins', async () => {
    const { body: made } = await admin.post(base(world), body());
    const officer = new Client(api.url, { token: world.officer.token });
    expect((await officer.post(`${base(world)}${made.id}/test/`, { saml_response: 'x' })).status).toBe(403);
  });
});

test('the audit log records the changes without our certificates', async () => {
  const { body: made } = await admin.post(base(world), body());
  const [entry] = await asOwner('SELECT action, actor_user_id, after FROM audit_log WHERE subject_id = $1', [made.id]);
  expect(entry).toMatchObject({ action: 'saml_configuration.created', actor_user_id: world.admin.userId });
  expect(JSON.stringify(entry)).not.toContain('PRIVATE');
});
