/** A platform admin manages an organization, by keyboard alone. */
import { anApi } from '../support/apiWorld.js';
import { aPlatformAdmin } from '../support/world.js';
import { aConsoleBrowser, signIn } from './browser.support.js';
import { shows, tabTo } from './keyboard.support.js';

const browser = aConsoleBrowser({ api: anApi() });

test('a platform admin creates, suspends and reactivates an organization, and finds this in the log', async () => {
  const page = await browser.open();
  const press = async (control: RegExp): Promise<void> => {
    await tabTo(page, control);
    await page.keyboard.press('Enter');
  };
  await signIn(page, await aPlatformAdmin());
  await page.goto('/console/platform');
  await shows(page, 'There are no such organizations.');
  await press(/^Create an organization$/);
  await shows(page, 'An invitation is mailed.');
  await page.keyboard.type('Gamma Society');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Not a slug');
  await page.keyboard.press('Enter');
  await shows(page, 'Must consist of a-z, 0-9 and inner hyphens.');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('gamma-society');
  await page.keyboard.press('Enter');
  await shows(page, 'Gamma Society is created.');

  await press(/^Suspend Gamma Society/);
  await shows(page, 'All its sessions end.');
  await press(/^Suspend$/);
  await shows(page, 'Gamma Society is suspended.');
  await press(/^Reactivate Gamma Society/);
  await shows(page, 'Its people can sign in again.');
  await press(/^Reactivate$/);
  await shows(page, 'Gamma Society is active.');

  await tabTo(page, /^Organizations$/);
  await page.keyboard.press('End');
  await shows(page, 'organization.created');
  await press(/before and after/);
  await shows(page, 'false → true');
  const actions = await page.getByRole('rowheader').allInnerTexts();
  expect(actions).toEqual(['organization.updated', 'organization.updated', 'organization.created']);
});
