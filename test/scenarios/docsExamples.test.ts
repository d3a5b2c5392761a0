/** The first example of each page of docs/api is a command that works. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { apiWorld } from '../support/apiWorld.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { PAGES } from '../docs/pages.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { aPlatformAdmin } from '../support/world.js';

const stage = apiWorld();
let platformToken: string;
let foundation: Foundation;
beforeAll(async () => {
  // Lists of processes are read from Temporal.
  await registerSearchAttributes();
  ({ token: platformToken } = await aPlatformAdmin());
  foundation = await aFoundation(stage.world);
});

const pages = PAGES.filter((page) => path.dirname(page) === 'docs/api');

/** Returns the first shell block of a page. */
const exampleOf = (page: string): string | undefined =>
  /^```sh\n([^]*?)^```$/m.exec(readFileSync(page, 'utf8').split(/^## /m)[0] ?? '')?.[1];

test('the folder of API pages is read', () => {
  expect(pages.length).toBeGreaterThan(25);
});

test.each(pages)('%s begins with an example that succeeds', async (page) => {
  const { world, api } = stage;
  const example = exampleOf(page) ?? '';
  expect(example).toMatch(/^curl .*--fail-with-body/);
  const variables = {
    API: api.url,
    ORG: world.organizationId,
    CHAPTER: world.chapterId,
    MEMBERSHIP: world.member.membershipId,
    ADMIN: world.admin.token,
    OFFICER: world.officer.token,
    MEMBER: world.member.token,
    FOUNDATION: foundation.foundationId,
    CAMPAIGN_SLUG: foundation.slug,
    FOUNDATION_ADMIN: foundation.admin.token,
    FOUNDATION_EDITOR: foundation.editor.token,
    PLATFORM: platformToken,
  };
  const run = promisify(execFile)('bash', ['-c', `set -o pipefail\n${example}`], {
    env: { ...process.env, ...variables },
  });
  await expect(run).resolves.toMatchObject({ stderr: '' });
});
