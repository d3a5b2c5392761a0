/** The story of `npm run demo -- forums`, in a seeded organization. */
import { showForums } from '../../development/demo/forums.js';
import { seed } from '../../development/seeding/seed.js';
import { anApi } from '../support/apiWorld.js';

const api = anApi();

test('the story of forums succeeds from the first read over an appeal to the refusals', async () => {
  const lines: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const { organizations } = await seed(process.env['DATABASE_OWNER_URL'] as string, 'demo');
  try {
    await showForums({
      base_url: api.url,
      temporal_ui_url: api.url,
      gateway: { url: api.url, control_url: null, ledger_url: null },
      database: { owner_url: null },
      organizations,
    });
  } finally {
    log.mockRestore();
  }
  const story = lines.join('\n');
  expect(story).toContain('The first read made the reader a member');
  expect(story).toContain('The officer has 1 unread thread, and 0 after reading it.');
  expect(story).toContain('The member, who wrote in the thread, hears of the reply.');
  expect(story).toContain('409 thread_locked');
  expect(story).toContain('the post is published again');
  expect(story).toContain('404 not_found');
});
