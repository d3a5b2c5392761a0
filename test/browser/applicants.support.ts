/** Small phones of applicants, an organization that accepts applications, and the mail between them. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { config } from '../../config.js';
import { aScanner } from '../gateways/scan.support.js';
import { aStore } from '../gateways/storage.support.js';
import { inviting } from '../api/organizations/invitations/invitations.support.js';
import { asOwner } from '../support/owner.js';
import { launchChromium } from './chromium.js';

/** Texts that would be executed, loaded or computed if they were not treated as text. */
export const EVIL = '"><img src=x onerror="document.title=1"><script>document.title=2</script>{{7*7}}';
config.THROTTLE_LIMITS = {
  ...config.THROTTLE_LIMITS,
  pnm_submit_ip: 10_000,
  pnm_submit_email: 10_000,
  pnm_verify_email: 10_000,
};

aStore();
aScanner();
export const stage = inviting();
let browser: Browser;
let origin: string;
let contexts: BrowserContext[] = [];
let complaints: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  origin = stage.api.url;
  Object.assign(config, { backendUrl: origin });
  await openForm();
});
afterAll(async () => {
  await browser?.close();
});
afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
  expect(complaints.splice(0)).toEqual([]);
});

async function openForm(): Promise<void> {
  const { organizationId, termId } = stage.world;
  await asOwner(
    `INSERT INTO recruitment_periods (organization_id, term_id, name, opens_at, closes_at, status)
     VALUES ($1, $2, 'Open', '2020-01-01', '2100-01-01', 'active')`,
    [organizationId, termId],
  );
  const templates = `/api/organizations/${organizationId}/consent-templates/`;
  const body_html = '<p>Be <strong>kind</strong>. <a href="https://example.org/rules">Rules</a></p>';
  const { id } = (
    await stage.admin.post(templates, { audience: 'applicants', title: 'House rules', body_html, method: 'click' })
  ).body;
  await stage.admin.post(`${templates}${id}/publish/`, {});
  const { status, body } = await stage.admin.put(`/api/organizations/${organizationId}/pnm-config/`, {
    introduction: `Welcome ${EVIL}`,
    confirmation: `Thank you ${EVIL}`,
    required_fields: ['phone_number'],
    consents: [id],
    attachments: [{ kind: 'resume', is_required: true }, { kind: 'headshot' }],
    questions: [
      { key: 'why', label: `Why? ${EVIL}`, help: EVIL, type: 'long', is_required: true, minimum: 10 },
      { key: 'days', label: 'Which days?', type: 'multiple', options: ['Mon', `Tue ${EVIL}`] },
      { key: 'hours', label: 'Hours a week?', type: 'number', minimum: 1 },
    ],
  });
  expect([status, body]).toMatchObject([200, {}]);
}

/** A browser without history, 320 px wide. */
export async function aPhone(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 320, height: 568 }, baseURL: origin });
  contexts.push(context);
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('dialog', () => complaints.push('a dialog'));
  context.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  context.on('request', (request) => {
    if (request.headers()['referer']) complaints.push(`referrer at ${request.url()}`);
    if (new URL(request.url()).origin !== origin) complaints.push(`asks ${request.url()}`);
  });
  return context.newPage();
}

export const shows = (page: Page, selector: string, text: string | RegExp) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor({ timeout: 10_000 });
export const saved = (page: Page) => shows(page, '#saving:not(.waiting)', /^Saved/);
export const apply = () => `/apply/${stage.world.slug}`;

/** Nothing is wider than the page, and typed texts are shown as text. */
export async function isWhole(page: Page): Promise<void> {
  expect(
    await page.evaluate('[document.documentElement.scrollWidth, document.querySelectorAll("img, main script").length]'),
  ).toEqual([320, 0]);
}
export const linkIn = async (email: string): Promise<string> => {
  const link = /https?:\S+\/apply\/\S+/.exec((await stage.mailbox.to(email)).at(-1)?.text ?? '')?.[0];
  if (!link) throw new Error('The newest mail has no link.');
  return link;
};
/** Another application with the same address. @returns its token */
export async function sendElsewhere(email: string, more: object = {}): Promise<string> {
  const form = `/api/pnm/public/${stage.world.slug}/`;
  const [{ template, version, text_hash }] = (await stage.nobody.get(`${form}consents/`)).body;
  const { status, body } = await stage.nobody.post(`${form}applications/`, {
    email,
    first_name: 'Other',
    last_name: 'Phone',
    chapter: stage.world.chapterId,
    phone_number: '+1 202 555 0144',
    answers: { why: 'Because of the sea.' },
    consents: [{ template, version, text_hash }],
    ...more,
  });
  expect(status).toBe(202);
  return body.token;
}
export const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement?.name || document.activeElement?.textContent');
