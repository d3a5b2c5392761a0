/** Tests certificates of SAML providers: up to three at a time, refreshed from an address, with expiry warnings. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { checkSamlConnection } from '../../../../activities/identity/samlConnections.js';
import { config } from '../../../../config.js';
import { certificateBody, type KeyPair, makeKeyPair } from '../../../../gateways/saml/certificate.js';
import type { SamlConnectionRef } from '../../../../models/identity/sso/saml/connectionsToCheck.js';
import { aMailbox } from '../../../support/accountMail.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { base64, EMAIL_OID, responseXml, responseFieldsFor, signXml } from '../../../support/samlProvider.js';
import { aSamlWorld, beginSignIn, postResponse, type SamlWorld } from '../../../support/samlWorld.js';

const YEARS_MS = 20 * 365 * 86_400_000;
const ENTITY = 'https://idp.example.org/metadata';

let server: Server;
let address: string;
let world: SamlWorld;
let admin: Client;
let keys: KeyPair[];
/** The answer of the metadata address. */
let published: { status: number; body: string };

Object.assign(config, { SSO_ALLOW_PRIVATE_ADDRESSES: true, THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const mailbox = aMailbox();
const api = anApi();
beforeAll(async () => {
  world = await aSamlWorld(api.url);
  admin = new Client(api.url, { token: world.admin.token });
  keys = await Promise.all(['a', 'b', 'c', 'd'].map((name) => makeKeyPair(name, Date.now())));
  server = createServer((_request, response) => response.writeHead(published.status).end(published.body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  published = { status: 200, body: metadata([0]) };
  // The tests share one connection, because the keys of another take longer than a test.
  await asOwner(
    `UPDATE saml_configurations SET metadata_url = NULL, last_refreshed_at = NULL, last_refresh_error = NULL,
            refresh_failing_since = NULL, refresh_warned_at = NULL WHERE id = $1`,
    [world.configuration.id],
  );
  const { certificate } = world.provider.keyPair;
  await admin.patch(path(), { certificate, next_certificate: null, third_certificate: null });
  mailbox.catcher.mails.clear();
});

const path = () => `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/`;
const read = async () => (await admin.get(path())).body;

function metadata(which: number[], { entityId = ENTITY, more = '' } = {}): string {
  const descriptors = which.map(
    (n) =>
      `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificateBody((keys[n] as KeyPair).certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"${more}><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${descriptors.join('')}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://elsewhere.example.org/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
}

/** Runs the step of the daily process twice, as a retry would. */
async function check(): Promise<void> {
  const ref: SamlConnectionRef = { organizationId: world.organizationId, configurationId: world.configuration.id };
  for (let time = 0; time < 2; time += 1) {
    const environment = new MockActivityEnvironment({ attempt: time + 1 });
    await environment.run<[SamlConnectionRef], void, typeof checkSamlConnection>(checkSamlConnection, ref);
  }
}

/** Signs a member in with a response that is signed with this key. @returns the answer's status and the names in its query */
async function signIn(key: KeyPair): Promise<string> {
  const flow = await beginSignIn(world);
  const { email } = world.member;
  const xml = responseXml(
    responseFieldsFor(world.provider, flow, { nameId: email, attributes: { [EMAIL_OID]: email } }),
  );
  const { status, location } = await postResponse(world, base64(signXml(xml, key)), flow.relayState);
  return `${status} ${location.replace(/^.*[?]|(?<=code=).*/g, '')}`;
}

/** Signs in with one key after the other. */
async function signInWith(some: readonly KeyPair[]): Promise<string[]> {
  const answers: string[] = [];
  for (const key of some) answers.push(await signIn(key));
  return answers;
}
const ACCEPTED = '302 code=';
const REFUSED = '302 error=response_invalid';

test('three certificates are accepted at a time, and a fourth is refused', async () => {
  const [certificate, next_certificate, third_certificate] = keys.map((key) => key.certificate);
  const { status, body } = await admin.patch(path(), { certificate, next_certificate, third_certificate });
  expect([status, body.third_certificate.fingerprint_sha256]).toEqual([200, expect.stringMatching(/^[0-9A-F:]{95}$/)]);
  expect(await signInWith(keys)).toEqual([ACCEPTED, ACCEPTED, ACCEPTED, REFUSED]);
  const [row] = await asOwner('SELECT third_certificate_encrypted AS sealed FROM saml_configurations WHERE id = $1', [
    world.configuration.id,
  ]);
  expect(row?.['sealed']).toMatch(/^v1\./);
  expect((await admin.patch(path(), { third_certificate: null })).body.third_certificate).toBeNull();
});

test('metadata with three certificates is accepted, and with four it is refused', async () => {
  const given = (xml: string, n: number) => ({ metadata: xml, name: 'Alpha', slug: `${world.slug}-${n}` });
  const at = `/api/organizations/${world.organizationId}/saml-configurations/import/`;
  expect((await admin.post(at, given(metadata([0, 1, 2]), 1))).body.third_certificate).not.toBeNull();
  const { status, body } = await admin.post(at, given(metadata([0, 1, 2, 3]), 2));
  expect([status, body.errors]).toEqual([400, { metadata: ['It has more than three signing certificates.'] }]);
});

test('a connection can be made from a metadata address alone if the address answers', async () => {
  const at = `/api/organizations/${world.organizationId}/saml-configurations/import/`;
  const given = { metadata_url: address, name: 'Alpha', slug: `${world.slug}-by-address` };
  const { status, body } = await admin.post(at, given);
  expect([status, body.idp_entity_id, body.metadata_url, body.last_refreshed_at]).toEqual([
    201,
    ENTITY,
    address,
    expect.any(String),
  ]);
  published = { status: 404, body: 'gone' };
  const refused = await admin.post(at, { ...given, slug: `${given.slug}-2` });
  expect([refused.status, refused.body.errors]).toEqual([400, { metadata_url: ['The address answered 404.'] }]);
  expect((await admin.post(at, { name: 'Alpha', slug: 'neither' })).body.errors).toHaveProperty('metadata');
});

test('a metadata address on a private network is not requested', async () => {
  await admin.patch(path(), { metadata_url: 'http://169.254.169.254/metadata' });
  const { body } = await admin.post(`${path()}refresh/`);
  expect(body.last_refresh_error).toBe('The address is not a public one.');
});

test("the provider's new certificates are applied every day, and its addresses are not", async () => {
  await admin.patch(path(), { metadata_url: address });
  const before = await read();
  const audited = () =>
    asOwner(
      `SELECT actor_user_id, after FROM audit_log WHERE subject_id = $1 AND action = 'saml_configuration.updated' ORDER BY id DESC`,
      [world.configuration.id],
    );
  const earlier = await audited();
  published.body = metadata([1, 2]);
  await check();
  const after = await read();
  expect([after.last_refresh_error, after.last_refreshed_at, after.sso_url]).toEqual([
    null,
    expect.any(String),
    before.sso_url,
  ]);
  expect(await signInWith(keys.slice(0, 3))).toEqual([REFUSED, ACCEPTED, ACCEPTED]);
  const entries = await audited();
  // The second of the two runs changed nothing.
  expect(entries).toHaveLength(earlier.length + 1);
  expect(entries[0]).toEqual({
    actor_user_id: null,
    after: { certificate: keys[1]?.certificate, next_certificate: keys[2]?.certificate },
  });
});

test.each<[string, () => { status: number; body: string }, string]>([
  [
    'about another identity provider',
    () => ({ status: 200, body: metadata([1], { entityId: 'https://evil.example.org' }) }),
    'The metadata describes another identity provider.',
  ],
  [
    'that is over',
    () => ({ status: 200, body: metadata([1], { more: ' validUntil="2020-01-01T00:00:00Z"' }) }),
    'It was valid until 2020-01-01T00:00:00Z.',
  ],
  [
    'without a certificate',
    () => ({ status: 200, body: metadata([]) }),
    'It has no signing certificate with an RSA key of at least 2048 bits.',
  ],
  ['that is none', () => ({ status: 200, body: '<html>' }), 'The document is not complete.'],
  ['that is not there', () => ({ status: 503, body: '' }), 'The address answered 503.'],
  [
    'that is larger than a MiB',
    () => ({ status: 200, body: 'x'.repeat(1_100_000) }),
    'The response is larger than 1 MiB.',
  ],
])('metadata %s changes nothing, and the connection shows the error', async (_name, answer, error) => {
  await admin.patch(path(), { metadata_url: address });
  const before = await read();
  published = answer();
  await check();
  const after = await read();
  expect([after.last_refresh_error, after.certificate, after.version]).toEqual([
    error,
    before.certificate,
    before.version,
  ]);
  expect(await signIn(world.provider.keyPair)).toBe(ACCEPTED);
  published = { status: 200, body: metadata([0]) };
  const { body } = await admin.post(`${path()}refresh/`);
  expect([body.last_refresh_error, body.last_refreshed_at]).toEqual([null, expect.any(String)]);
});

test('admins are notified once of an address that has failed for days', async () => {
  await admin.patch(path(), { metadata_url: address });
  published = { status: 500, body: '' };
  await check();
  expect(await mailbox.to(world.admin.email)).toEqual([]);
  await asOwner(`UPDATE saml_configurations SET refresh_failing_since = now() - interval '3 days' WHERE id = $1`, [
    world.configuration.id,
  ]);
  await check();
  await check();
  const mails = await mailbox.to(world.admin.email);
  expect(mails.map(({ subject }) => subject)).toEqual(['The metadata of your identity provider cannot be read']);
  expect(mails[0]?.text).toContain('Reason: The address answered 500.');
});

test.each([
  ['in 40 days', 40, 0],
  ['in 20 days', 20, 1],
  ['in 5 days', 5, 1],
  ['yesterday', -1, 0],
])('for a certificate that ends %s admins get %p mails', async (_name, days, count) => {
  const ending = await makeKeyPair('ending', Date.now() - YEARS_MS + days * 86_400_000 + 3_600_000);
  await admin.patch(path(), { next_certificate: ending.certificate });
  await check();
  await check();
  const mails = await mailbox.to(world.admin.email);
  expect(mails.map(({ subject }) => subject)).toEqual(
    Array(count).fill('A certificate for single sign-on expires soon'),
  );
  if (count > 0) expect(mails[0]?.text).toContain((await read()).next_certificate.expires_at);
  expect(await mailbox.to(world.member.email)).toEqual([]);
});

test('a sent warning of 30 days does not prevent the one of 7', async () => {
  const ending = await makeKeyPair('ending', Date.now() - YEARS_MS + 5 * 86_400_000);
  await admin.patch(path(), { certificate: ending.certificate });
  const { certificate } = await read();
  await asOwner(
    `INSERT INTO saml_certificate_warnings (organization_id, configuration_id, fingerprint, days) VALUES ($1, $2, $3, 30)`,
    [world.organizationId, world.configuration.id, certificate.fingerprint_sha256],
  );
  await check();
  expect(await mailbox.to(world.admin.email)).toHaveLength(1);
});

test('a new metadata address clears the error, and without an address a refresh is refused', async () => {
  await admin.patch(path(), { metadata_url: address });
  published = { status: 500, body: '' };
  await admin.post(`${path()}refresh/`);
  expect((await admin.patch(path(), { metadata_url: `${address}?again` })).body.last_refresh_error).toBeNull();
  expect((await admin.patch(path(), { metadata_url: null })).body.metadata_url).toBeNull();
  expect((await admin.post(`${path()}refresh/`)).body.errors).toHaveProperty('metadata_url');
});
