/** Each screen in both modes and at two widths: axe-core finds nothing, and the browser reports nothing. */
import { aStuckPayment } from './stuckPayment.support.js';
import { aPlatform, aProcessor } from '../support/platform.js';
import { aWorld } from '../support/world.js';
import { accessibilityFaults, aConsoleBrowser, signIn } from './browser.support.js';
import { everyScreen, type Shown } from './everyScreen.js';

/** Folder that receives a picture of each screen; empty: none is taken. */
const PICTURES = process.env['CONSOLE_PICTURES'] ?? '';

const platform = aPlatform();
const browser = aConsoleBrowser(platform);
const shown = {} as Shown;

beforeAll(async () => {
  const world = await aWorld({ members: 1 });
  await aProcessor(world);
  const { id } = await aStuckPayment(platform, world);
  Object.assign(shown, { world, process: id });
});

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
