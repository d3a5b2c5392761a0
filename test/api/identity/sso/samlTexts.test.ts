/** Texts that a rightly signed response says, and that cannot be kept: they end at the callback, and leave nothing. */
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
/** Whose provider names people by an attribute. */
let mapped: SamlWorld;

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const api = anApi();
beforeAll(async () => {
  [world, mapped] = [
    await aSamlWorld(api.url),
    await aSamlWorld(api.url, { attribute_mapping: { email: EMAIL_OID, subject: SUBJECT } }),
  ];
});

/** Three bytes each, and nothing that compresses. */
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

describe.each(UNUSABLE)('%s', (_name, of, said) => {
  const says = (): Partial<ResponseFields> => ({ ...said(), attributes: { ...email(), ...said().attributes } });

  test('ends at the callback and leaves nothing', async () => {
    const asked = await beginSignIn(of());
    const response = await signedResponse(of(), asked, says());
    const { status, location } = await postResponse(of(), response, asked.relayState);
    expect([status, location]).toEqual([302, 'http://localhost:3000/auth/sso/callback?error=response_invalid']);
    expect(await asOwner('SELECT FROM sso_codes')).toEqual([]);
  });

  test('is named by a dry run', async () => {
    const { organizationId, configuration, admin } = of();
    const asked = await beginSignIn(of());
    const saml_response = await signedResponse(of(), asked, says());
    const path = `/api/organizations/${organizationId}/saml-configurations/${configuration.id}/test/`;
    const { status, body } = await new Client(api.url, { token: admin.token }).post(path, { saml_response });
    expect([status, body.accepted, body.reason]).toEqual([200, false, 'unusable_text']);
  });
});

test('a NameID of 1024 bytes signs in, again and again', async () => {
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
