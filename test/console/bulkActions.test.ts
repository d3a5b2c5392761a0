/** An admin retries stuck processes in bulk, by keyboard alone. One of them refuses. */
import { processId } from '../../api/processes/id.js';
import { markOverdue } from '../../workflows/contracts/index.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor } from '../support/platform.js';
import { aWorld, type World } from '../support/world.js';
import { aConsoleBrowser, signIn } from './browser.support.js';
import { shows, tabTo } from './keyboard.support.js';
import { aStuckPayment } from './stuckPayment.support.js';

const platform = aPlatform();
const browser = aConsoleBrowser(platform);

/** An intent that could not be dispatched for so often that it is stuck. @returns the id of its process */
async function aStuckIntent({ organizationId }: World, day: string): Promise<string> {
  const workflowId = markOverdue.workflowId({ organizationId, day });
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before, attempts)
     VALUES ($1, 'markOverdue', $2, $3, now() + interval '1 day', 5)`,
    [organizationId, workflowId, { organizationId, day }],
  );
  return processId(workflowId);
}

test('stuck processes are previewed, decided again about a new preview, retried, and seen to add up with one refused', async () => {
  const world = await aWorld({ members: 1 });
  await aProcessor(world);
  const admin = platform.client(world.admin);
  const { id: payment, paying } = await aStuckPayment(platform, world);
  await aStuckIntent(world, '2000-01-01');
  const refusing = await aStuckIntent(world, '2000-01-02');
  const page = await browser.open();
  const { keyboard } = page;
  const confirm = async (): Promise<void> => {
    await tabTo(page, /^Retry 3 processes$/);
    await keyboard.press('Enter');
    await shows(page, 'One line.');
    await keyboard.type('The bank is reachable again');
    await keyboard.press('Enter');
  };
  await signIn(page, world.admin);
  await page.goto('/console/processes?stuck=true');
  await shows(page, 'Money may have moved');
  await tabTo(page, /^Select all on this page$/);
  await keyboard.press('Space');
  await keyboard.press('Shift+Tab');
  await keyboard.press('Enter');
  await shows(page, 'Retry the selected processes (3)');
  // The page gets a preview that is stale when it is confirmed.
  await page.route(
    '**/api/processes/bulk-actions/',
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), preview_hash: '0'.repeat(64) } });
    },
    { times: 1 },
  );
  await keyboard.press('Enter');
  await shows(page, 'No process is left out.');
  await confirm();
  await shows(page, 'this is a new preview');
  expect((await admin.post(`/api/processes/${refusing}/cancel/`)).status).toBe(200);
  await confirm();
  await shows(page, 'Observed');
  await page.getByText('Done', { exact: true }).first().waitFor({ timeout: 60_000 });
  await shows(page, 'Refused: it has already ended');

  const counts = '[...document.querySelectorAll("[aria-label=\'Numbers of processes\'] dd")]';
  const [all, ...observed]: number[] = await page.evaluate(`${counts}.map(({ textContent }) => Number(textContent))`);
  expect([all, observed.reduce((sum, count) => sum + count)]).toEqual([3, 3]);
  await page.goto('/console/processes/bulk-actions');
  await shows(page, 'The bank is reachable again');
  await tabTo(page, /^Retry 3 processes$/);
  await keyboard.press('Enter');
  await shows(page, 'Observed');
  await page.goto(`/console/processes/bulk-actions/new?action=cancel&ids=${payment}`);
  await shows(page, 'Money has moved, or may have moved');
  await shows(page, 'There is nothing to cancel.');
  await platform.clearFaults();
  await paying;
});
