/** The story of `npm run demo -- giving`, at a seeded foundation. */
import { showGiving } from '../../development/demo/giving.js';
import { seed } from '../../development/seeding/seed.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { aPlatform } from '../support/platform.js';

const platform = aPlatform();
let catcher: Catcher;
beforeAll(async () => void (catcher = await startMailServer()));
afterAll(() => stopMailServer(catcher));

test('the story of giving succeeds from the gift to the bulletin', async () => {
  const lines: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const { organizations } = await seed(process.env['DATABASE_OWNER_URL'] as string, 'demo');
  const { url, controlUrl, ledgerUrl } = platform.gateway;
  try {
    await showGiving({
      base_url: platform.api.url,
      temporal_ui_url: platform.api.url,
      mail_url: catcher.url,
      gateway: { url, control_url: controlUrl, ledger_url: ledgerUrl },
      database: { owner_url: process.env['DATABASE_OWNER_URL'] as string },
      organizations,
    });
  } finally {
    log.mockRestore();
  }
  const story = lines.join('\n');
  expect(story).not.toContain('Skipped');
  expect(story).toContain('a new receipt replaces the void one');
  expect(story).toContain('The process charges $30.00');
  expect(story).toMatch(/"charge_in_flight":false.*"refunded_at":"2/);
  expect(story).toContain('Issued: 1 receipt, $250.00 in all.');
  expect(story).toContain('unsubscribes with one click');
});
