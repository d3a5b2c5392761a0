/** Chromium at the console of a test file's platform, as a person uses it. */
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { config } from '../../config.js';
import { givePassword, PASSWORD } from '../api/identity/accounts.support.js';
import { launchChromium } from '../browser/chromium.js';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export interface ConsoleBrowser {
  /** Opens a window. Its complaints are collected until the end of the test. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** What windows of this test have reported: errors in the console, exceptions, violations of the policy. */
  complaints: string[];
}

/**
 * A browser for a test file. After each test, no window may have complained.
 * @param stage its API is started before this function's hooks run
 */
export function aConsoleBrowser(stage: { api: { url: string } }): ConsoleBrowser {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    // Passkeys are bound to host names, and the server listens on a free port.
    Object.assign(config, { WEBAUTHN_ORIGINS: [originOf(stage)] });
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    const found = complaints.splice(0);
    expect(found).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    Object.assign(config, { WEBAUTHN_ORIGINS: [] });
  });
  return {
    complaints,
    async open(options = {}) {
      const context = await browser.newContext({ baseURL: originOf(stage), ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        // A refusal of the API is no fault of the page, though Chromium reports it like one.
        const isRefusal =
          message.text().startsWith('Failed to load resource') && message.location().url.includes('/api/');
        if (message.type() === 'error' && !isRefusal) complaints.push(`${message.text()} (${page.url()})`);
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(originOf(stage))) complaints.push(`request to ${request.url()}`);
      });
      return page;
    },
  };
}

const originOf = ({ api }: { api: { url: string } }): string => `http://localhost:${new URL(api.url).port}`;

/** Signs in by password, without the page. */
export async function signIn(page: Page, person: { userId: string; email: string }): Promise<void> {
  await givePassword(person.userId);
  const data = { email: person.email, password: PASSWORD };
  const answer = await page.request.post('/api/auth/login/', { data });
  expect(answer.status()).toBe(200);
}

/** Adds an authenticator that holds passkeys and confirms its person at once. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** Returns what axe-core finds on the page, one line for each element. It is injected by the debugger, past the policy. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: 'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return (result.value as Violation[]).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
