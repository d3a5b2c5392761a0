/** Tests texts in rightly signed responses that cannot be stored: the sign-in fails and leaves nothing. */
import { randomInt } from 'node:crypto';
import { config } from '../../../../config.js';
import { Client } from '../../../support/api.js';
import { anApi } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { EMAIL_OID, type ResponseFields } from '../../../support/samlProvider.js';
import {
  aSamlWorld,
  beginSignIn,
  postResponse,
  type SamlWorld,
  signedResponse,
  signInBySaml,
} from '../../../support/samlWorld.js';

const SUBJECT = 'urn:example:subject';
const GIVEN_NAME = 'urn:oid:2.5.4.42';

let world: SamlWorld;
/** The world whose provider identifies people by an attribute. */
let mapped: SamlWorld;

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  [world, mapped] = [
    await aSamlWorld(api.url),
    await aSamlWorld(api.url, { attribute_mapping: { email: EMAIL_OID, subject: SUBJECT } }),
  ];
});

/** Characters of three bytes each that do not compress. */
const characters = (count: number): string =>
  Array.from({ length: count }, () => String.fromCodePoint(0x4e00 + randomInt(20_000))).join('');

const email = () => ({ [EMAIL_OID]: world.member.email });

const UNUSABLE: [name: string, of: () => SamlWorld, said: () => Partial<ResponseFields>][] = [
  ['a NameID of 990 characters of three bytes', () => world, () => ({ nameId: characters(990) })],
  ['a NameID with a control character', () => world, () => ({ nameId: 'person\u007f' })],
  ['a NameID in a format of 2000 characters', () => world, () => ({ nameIdFormat: `urn:${'x'.repeat(2_000)}` })],
  ['a SessionIndex of 100 kB', () => world, () => ({ sessionIndex: 'x'.repeat(100_000) })],
  ['a SessionIndex with a control character', () => world, () => ({ sessionIndex: 'a\u009bb' })],
  ['a first name with a control character', () => world, () => ({ attributes: { [GIVEN_NAME]: 'S\u009bam' } })],
  ['a mapped subject of 1100 characters', () => mapped, () => ({ attributes: { [SUBJECT]: 'x'.repeat(1_100) } })],
];

describe.each(UNUSABLE)('a response with unusable text: %s', (_name, of, fields) => {
  const says = (): Partial<ResponseFields> => ({ ...fields(), attributes: { ...email(), ...fields().attributes } });

  test('a response with unusable text ends at the callback and leaves nothing', async () => {
    const flow = await beginSignIn(of());
    const response = await signedResponse(of(), flow, says());
    const { status, location } = await postResponse(of(), response, flow.relayState);
    expect([status, location]).toEqual([302, 'http://localhost:3000/auth/sso/callback?error=response_invalid']);
    expect(await asOwner('SELECT FROM sso_codes')).toEqual([]);
  });

  test('a dry run reports unusable text', async () => {
    const { organizationId, configuration, admin } = of();
    const flow = await beginSignIn(of());
    const saml_response = await signedResponse(of(), flow, says());
    const path = `/api/organizations/${organizationId}/saml-configurations/${configuration.id}/test/`;
    const { status, body } = await new Client(api.url, { token: admin.token }).post(path, { saml_response });
    expect([status, body.accepted, body.reason]).toEqual([200, false, 'unusable_text']);
  });
});

test('a person with a NameID of 1024 bytes signs in repeatedly', async () => {
  const nameId = `${characters(341)}x`;
  expect(Buffer.byteLength(nameId)).toBe(1024);
  for (const sessionIndex of ['first', '']) {
    const browser = await signInBySaml(world, world.member.email, { nameId, sessionIndex });
    expect((await browser.get('/api/auth/me/')).status).toBe(200);
  }
});

test('an entity id of more than 1024 bytes is refused', async () => {
  const path = `/api/organizations/${world.organizationId}/saml-configurations/${world.configuration.id}/`;
  const admin = new Client(api.url, { token: world.admin.token });
  const { status, body } = await admin.patch(path, { idp_entity_id: characters(400) });
  expect([status, Object.keys(body.errors)]).toEqual([400, ['idp_entity_id']]);
});
