/** An admin previews and issues dues, by keyboard alone. */
import { aPlatform, aProcessor } from '../support/platform.js';
import { aWorld } from '../support/world.js';
import { aConsoleBrowser, signIn } from './browser.support.js';
import { inAMonth, setRate } from './duesRun.support.js';

const platform = aPlatform();
const browser = aConsoleBrowser(platform);

test('a dues run is previewed, issued and seen to complete', async () => {
  const world = await aWorld({ members: 1 });
  await aProcessor(world);
  await setRate(world);
  const page = await browser.open();
  await signIn(page, world.admin);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await page.goto('/console/dues-runs');
  await button('New run').press('Enter');
  await button('Term').press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByLabel('Due date').first().focus();
  await page.keyboard.type(inAMonth());
  await button('Preview').press('Enter');
  await button(/^Issue \d+ invoices?, /).press('Enter');
  await page.getByText('Completed').waitFor({ timeout: 30_000 });
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/dues-runs\/[0-9a-f-]{36}$/);
});
