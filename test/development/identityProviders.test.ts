/** The identity providers for trying sign-in by hand: the printed commands are executed as pasted, and the printed addresses are opened. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { config } from '../../config.js';
import { freePort } from '../../development/stack/ports.js';
import { givePassword, PASSWORD } from '../api/identity/accounts.support.js';
import { apiWorld } from '../support/apiWorld.js';
import { FormBrowser, fieldsOf } from '../support/formBrowser.js';
import { eventually } from '../support/platform.js';
import { type Person, type World } from '../support/world.js';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
type Loose = any;

let folder: string;
let frontend: string;
let command: ChildProcess;
let printed = '';
/** The answers of the pasted lines. */
let connected: Loose[];

Object.assign(config, { THROTTLE_LIMITS: { sso: 10_000, auth: 10_000 } });
const { api, world } = apiWorld();
beforeAll(async () => {
  Object.assign(config, { backendUrl: api.url, SSO_ALLOW_PRIVATE_ADDRESSES: true });
  await givePassword(world.admin.userId);
  folder = mkdtempSync(path.join(os.tmpdir(), 'identity-providers-'));
  writeFileSync(path.join(folder, 'demo.json'), JSON.stringify(factsOf(world)));
  const port = await freePort();
  // The return address is the API's configuration; the page there belongs to the command.
  frontend = `http://localhost:${port}`;
  await startCommand();
  connected = await paste(between('1. Connect both', '2. Open'));
});

afterAll(async () => {
  command.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function startCommand(): Promise<void> {
  printed = '';
  const script = path.resolve('dist/development/identity-providers.js');
  command = spawn(process.execPath, [script, '--openid-port', '0', '--saml-port', '0'], {
    env: { ...process.env, DATA_DIR: folder, FRONTEND_URL: frontend },
  });
  for (const stream of [command.stdout, command.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await eventually(
    async () => printed,
    (text) => text.includes('Press Ctrl-C to stop both.'),
  );
}

/** The file that `npm start` writes. */
function factsOf({ organizationId, slug, chapterId, admin, officer, member }: World) {
  const person = ({ userId, email }: Person) => ({ id: userId, email, password: PASSWORD });
  const users = { admin: person(admin), officer: person(officer), member: person(member) };
  return {
    base_url: api.url,
    temporal_ui_url: 'http://127.0.0.1:1',
    gateway: { url: 'http://127.0.0.1:1', control_url: null, ledger_url: null },
    database: { owner_url: null },
    organizations: [{ id: organizationId, slug, chapter_ids: [chapterId], users }],
  };
}

const between = (from: string, to: string): string => {
  const [, rest = ''] = printed.split(from);
  return (rest.split(to)[0] ?? '').split('\n').slice(1).join('\n');
};

/** @returns the answer of each command, as JSON */
async function paste(lines: string): Promise<Loose[]> {
  // Answers end without a line break.
  const found = `${path.resolve(__dirname, '../support/curl')}:${path.dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH: found };
  const { stdout } = await promisify(execFile)('sh', ['-c', lines.replaceAll(/\n\n+/g, '\necho\n')], { env });
  return stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

const loginUrl = (way: 'oauth' | 'saml'): string =>
  new RegExp(`^http.*/sso/${way}/.*/login/$`, 'm').exec(printed)?.[0] ?? '';
const browserOf = () => new FormBrowser(new URL(config.frontendUrl).origin);

/** Exchanges the code of a completed sign-in, as the page there does. */
async function exchange(browser: FormBrowser, end: URL): Promise<Loose> {
  expect(end.pathname).toBe('/auth/sso/callback');
  const code = end.searchParams.get('code');
  const { status, body } = await browser.ask('POST', `${api.url}/api/auth/sso/exchange/`, { code });
  expect({ status, end: end.search }).toMatchObject({ status: 200 });
  return body;
}

const me = (browser: FormBrowser) => browser.ask('GET', `${api.url}/api/auth/me/`);

test('the printed commands connect both providers when they are pasted unchanged', () => {
  expect(connected).toMatchObject([
    { slug: 'local-openid', login_url: loginUrl('oauth') },
    { slug: 'local-saml', login_url: loginUrl('saml') },
  ]);
});

describe.each(['oauth', 'saml'] as const)('by %s', (way) => {
  test('the page starts with a member, who signs in with one click', async () => {
    const browser = browserOf();
    const page = await browser.open(loginUrl(way));
    expect(fieldsOf(page)).toMatchObject({ email: world.member.email });
    const { url } = await browser.submit(page).then((next) => onTo(browser, next));
    expect(await exchange(browser, url)).toMatchObject({ user: { email: world.member.email } });
    expect(await me(browser)).toMatchObject({ status: 200 });
  });

  test('another person can sign in with their address, and an unknown address is refused with a message', async () => {
    const browser = browserOf();
    const somebody = await browser.submit(await browser.open(loginUrl(way)), { email: world.officer.email });
    expect(await exchange(browser, (await onTo(browser, somebody)).url)).toMatchObject({
      user: { email: world.officer.email },
    });
    const other = browserOf();
    const nobody = await other.submit(await other.open(loginUrl(way)), { email: 'nobody@example.org' });
    expect((await onTo(other, nobody)).url.searchParams.get('error')).toBe('no_account');
  });

  test('the provider remembers a signed-in person, and asks again when a fresh proof is required', async () => {
    const browser = browserOf();
    await onTo(browser, await browser.submit(await browser.open(loginUrl(way))));
    const again = await onTo(browser, await browser.open(loginUrl(way)));
    await exchange(browser, again.url);
    const loginPage = await browser.open(`${loginUrl(way)}?reauthenticate=true`);
    expect(fieldsOf(loginPage)).toHaveProperty('email');
    await exchange(browser, (await onTo(browser, await browser.submit(loginPage))).url);
  });
});

/** Submits a page that submits itself. */
async function onTo(browser: FormBrowser, page: Awaited<ReturnType<FormBrowser['open']>>) {
  return fieldsOf(page)['SAMLResponse'] ? browser.submit(page) : page;
}

async function signedInBySaml(): Promise<FormBrowser> {
  const browser = browserOf();
  const end = await onTo(browser, await browser.submit(await browser.open(loginUrl('saml'))));
  await exchange(browser, end.url);
  return browser;
}

test('logging out at the platform also signs the person out at the SAML provider', async () => {
  const browser = await signedInBySaml();
  const { body } = await browser.ask('POST', `${api.url}/api/auth/sso/saml/logout/`);
  expect((await browser.open((body as Loose).redirect_to)).url.origin).toBe(new URL(config.frontendUrl).origin);
  expect(fieldsOf(await browser.open(loginUrl('saml')))).toHaveProperty('email');
});

test('signing out at the SAML provider also signs the person out at the platform', async () => {
  const browser = await signedInBySaml();
  const [, home = ''] = /SAML identity provider {2}(\S+)/.exec(printed) ?? [];
  const page = await browser.submit(await browser.open(home));
  expect(page.html).toContain('You are signed out.');
  expect(await me(browser)).toMatchObject({ status: 401 });
});

test('a response for the dry run shows who would be signed in', async () => {
  const token = /^TOKEN=[^]*?\)\n/m.exec(between('1. Connect both', '2. Open'))?.[0];
  const dryRun = between('3. Test a SAML response', 'Press Ctrl-C').replace('<id>', connected[1].id);
  expect(await paste(`${token}\n${dryRun.trim()}`)).toMatchObject([
    { accepted: true, person: { email: world.member.email } },
  ]);
});

test('a page is served at the return address, as there is no web client there', async () => {
  const page = await fetch(`${frontend}/auth/sso/callback?code=x`);
  expect(await page.text()).toContain(`const platform = "${api.url}"`);
});

test('the command ends on a signal, and is the same SAML provider when it is started again', async () => {
  const certificate = async () => {
    const metadata = await fetch(/metadata: (\S+)\)/.exec(printed)?.[1] ?? '');
    return /X509Certificate>([^<]+)/.exec(await metadata.text())?.[1];
  };
  const before = await certificate();
  command.kill('SIGTERM');
  expect(await once(command, 'exit')).toEqual([0, null]);
  await startCommand();
  expect(await certificate()).toBe(before);
});
