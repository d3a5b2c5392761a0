/** Each screen in both modes and at two widths: axe-core finds nothing, and the browser reports nothing. */
import { aFlaggedRemittance } from './flaggedRemittance.support.js';
import { moneyToDecide } from './moneyToDecide.support.js';
import { aStuckPayment } from './stuckPayment.support.js';
import { aPlatform, aProcessor } from '../support/platform.js';
import { anInvoice, aPlatformAdmin, aWorld, type World } from '../support/world.js';
import { aDuesRun } from './duesRun.support.js';
import { accessibilityFaults, aConsoleBrowser, signIn } from './browser.support.js';
import { everyScreen, type Shown } from './everyScreen.js';

/** Folder that receives a picture of each screen; empty: none is taken. */
const PICTURES = process.env['CONSOLE_PICTURES'] ?? '';

const BULK_ACTIONS = '/api/processes/bulk-actions/';

const platform = aPlatform();
const browser = aConsoleBrowser(platform);
const shown = {} as Shown;

beforeAll(async () => {
  const world = await aWorld({ members: 3 });
  await aProcessor(world);
  const remittance = await aFlaggedRemittance(platform, world, 24_000);
  await anInvoice(world, { chapterId: world.chapterId, membershipId: world.memberships[2] as string, cents: 2_000 });
  const { id } = await aStuckPayment(platform, world);
  const { body: approval } = await platform
    .client(world.member)
    .post(`/api/memberships/${world.member.membershipId}/status-change-requests/`, {
      status: 'alumni',
      reason: 'Graduated early',
    });
  const billed = await aWorld({ members: 1 });
  const admin = platform.client(billed.admin);
  const invoice = await anInvoice(billed, { chapterId: billed.chapterId, membershipId: billed.member.membershipId });
  const { body: ledgerCheck } = await admin.post(`/api/organizations/${billed.organizationId}/ledger-checks/`, {});
  const duesRun = await aDuesRun(admin, billed);
  const platformAdmin = await aPlatformAdmin();
  const alert = { title: 'Maintenance', body: 'On Sunday the platform is down for an hour.', audience: 'admins' };
  await platform.client(platformAdmin).post('/api/platform/alerts/', alert);
  Object.assign(shown, {
    world,
    billed,
    process: id,
    bulkAction: await retryInBulk(world, id),
    remittance,
    money: await moneyToDecide(),
    approval: approval.id,
    ledgerCheck: ledgerCheck.id,
    invoice,
    duesRun,
    platformAdmin,
  });
});

/** Retries a process by a bulk action. @returns its id */
async function retryInBulk({ admin }: World, id: string): Promise<string> {
  const client = platform.client(admin);
  const request = { action: 'retry', ids: [id] };
  const { preview_hash } = (await client.post(BULK_ACTIONS, { ...request, dry_run: true })).body;
  const confirmed = { ...request, preview_hash, reason: 'The bank is reachable again' };
  return (await client.post(BULK_ACTIONS, confirmed)).body.id;
}

const CASES = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 360].map((width) => ({ colorScheme, width })),
);

const pictureOf = (path: string, mode: string, width: number): string =>
  `${PICTURES}/${path.replaceAll(/[^a-z]+/g, '-')}-${mode}-${width}.png`;

test.each(CASES)('every screen is accessible ($colorScheme, $width px)', async ({ colorScheme, width }) => {
  const faults: Record<string, string[]> = {};
  for (const { path, shows, as } of everyScreen(shown)) {
    const page = await browser.open({ colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' });
    if (as) await signIn(page, as);
    await page.goto(path);
    await page.getByText(shows).first().waitFor({ timeout: 10_000 });
    if (PICTURES) await page.screenshot({ path: pictureOf(path, colorScheme, width), fullPage: true });
    const found = await accessibilityFaults(page);
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('wider than the screen');
    if (found.length > 0) faults[`${path} as ${as?.email ?? 'nobody'}`] = found;
    await page.context().close();
  }
  expect(faults).toEqual({});
});
