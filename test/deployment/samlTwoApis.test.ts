/** SAML sign-ins where two processes serve the API. */
import { config } from '../../config.js';
import { anApi } from '../support/apiWorld.js';
import { type OwnProcess, startOwn } from '../support/processes.js';
import { base64, EMAIL_OID, responseXml, responseFieldsFor, signXml } from '../support/samlProvider.js';
import { aSamlWorld, beginSignIn, postResponse, type SamlWorld, type SignIn } from '../support/samlWorld.js';

const EXPIRED = 'http://localhost:3000/auth/sso/callback?error=flow_expired';
const THROTTLE_LIMITS = { sso: 10_000, auth: 10_000 };

let world: SamlWorld;
let second: OwnProcess;

Object.assign(config, { THROTTLE_LIMITS });
const api = anApi();
beforeAll(async () => {
  world = await aSamlWorld(api.url);
  second = await startOwn('api', {
    BACKEND_URL: config.backendUrl,
    THROTTLE_LIMITS: JSON.stringify(THROTTLE_LIMITS),
  });
});
afterAll(() => second.stop());

function signed(signInRequest: SignIn): string {
  const { email } = world.member;
  const fields = responseFieldsFor(world.provider, signInRequest, {
    nameId: email,
    attributes: { [EMAIL_OID]: email },
  });
  return signXml(responseXml(fields), world.provider.keyPair);
}

const endAt = async (url: string, xml: string, { relayState }: SignIn): Promise<string> =>
  (await postResponse(world, base64(xml), relayState, url)).location;
const there = () => `http://127.0.0.1:${second.port}`;

test('an assertion that was used at one API is refused as used at the other', async () => {
  const signInRequest = await beginSignIn(world);
  const xml = signed(signInRequest);
  expect(await endAt(api.url, xml, signInRequest)).toContain('?code=');
  expect(await endAt(there(), xml, signInRequest)).toBe(EXPIRED);
});

test('a sign-in that began at one API is completed at the other, once', async () => {
  const [begunThere, begunHere] = [await beginSignIn({ ...world, url: there() }), await beginSignIn(world)];
  const xml = signed(begunThere);
  expect(await endAt(api.url, xml, begunThere)).toContain('?code=');
  expect(await endAt(there(), xml, begunThere)).toBe(EXPIRED);
  expect(await endAt(there(), signed(begunHere), begunHere)).toContain('?code=');
});
