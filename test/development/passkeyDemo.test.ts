/** Passkeys in headless Chromium with a virtual authenticator, on the demo page for developers. */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { config } from '../../config.js';
import { anApi } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aMember, aWorld, type Person } from '../support/world.js';
import { PASSWORD, givePassword } from '../api/identity/accounts.support.js';
import { launchChromium } from '../browser/chromium.js';

let browser: Browser;
let context: BrowserContext;
let page: Page;
let authenticator: CDPSession;
let authenticatorId: string;
let person: Person;
let complaints: string[];

const api = anApi();
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
});

beforeEach(async () => {
  const world = await aWorld();
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
  // Passkeys are bound to host names, and this server listens on a free port.
  const origin = `http://localhost:${new URL(api.url).port}`;
  Object.assign(config, { WEBAUTHN_ORIGINS: [origin] });
  context = await browser.newContext({ baseURL: origin });
  page = await context.newPage();
  complaints = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  authenticator = await context.newCDPSession(page);
  await authenticator.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  ({ authenticatorId } = await authenticator.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  }));
  await page.goto('/auth/passkey-demo');
});
afterEach(async () => {
  await context.close();
  Object.assign(config, { WEBAUTHN_ORIGINS: [] });
});

const shows = (selector: string, text: string) =>
  page.locator(selector, { hasText: text }).waitFor({ timeout: 10_000 });

async function logIn(): Promise<void> {
  await page.fill('[name=email]', person.email);
  await page.fill('[name=password]', PASSWORD);
  await page.click('#log-in button');
  await shows('#who', `Signed in as ${person.email}`);
}

test('a person registers a passkey, signs out, and signs in without an e-mail address', async () => {
  await shows('#who', 'Signed out');
  await logIn();
  await page.click('#register');
  await shows('#outcome', 'Set up: done');
  await shows('#passkeys li', 'Demo');
  const { credentials } = await authenticator.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);

  await page.click('#sign-out');
  await shows('#who', 'Signed out');
  expect(await context.cookies()).toEqual([]);
  await page.reload();
  await shows('#who', 'Signed out');

  await page.click('#sign-in');
  await shows('#outcome', 'Sign in with a passkey: done');
  await shows('#who', `Signed in as ${person.email}`);
  const sessions = await asOwner<{ auth_method: string }>(
    'SELECT auth_method FROM sessions WHERE user_id = $1 AND revoked_at IS NULL ORDER BY created_at DESC LIMIT 1',
    [person.userId],
  );
  expect(sessions).toEqual([{ auth_method: 'passkey' }]);
  expect(complaints).toEqual([]);
});

test('scripts of the page cannot read the session cookies', async () => {
  await logIn();
  const cookies = await context.cookies();
  expect(cookies.map(({ name }) => name).sort()).toEqual(['access_token', 'refresh_token']);
  for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  expect(await page.evaluate('document.cookie')).toBe('');
});

test('a passkey whose counter went back is refused with its error code', async () => {
  await logIn();
  await page.click('#register');
  await shows('#outcome', 'Set up: done');
  await page.click('#sign-out');
  await shows('#who', 'Signed out');
  await asOwner('UPDATE webauthn_credentials SET signature_counter = 1000 WHERE user_id = $1', [person.userId]);
  await page.click('#sign-in');
  await shows('#outcome', 'passkey_needs_reenrollment');
  await shows('#who', 'Signed out');
});
