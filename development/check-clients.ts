/**
 * check-clients: generates clients from the API's own description, in TypeScript with openapi-typescript and in Python
 * with openapi-generator. Type-checks both and lets each pay a remittance on a stack of its own. The Python client also
 * calls every read that needs at most an organization's id.
 *   --only <word> typescript, or python
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BenchStack } from './bench/stack.js';
import { chooseWorld } from './bench/world.js';
import { pythonClient } from './clients/python.js';
import { typescriptClient } from './clients/typescript.js';
import { readCommandLine } from '../bin/commandLine.js';
import { issueOpenInvoices } from './seeding/large/openInvoices.js';
import { DEMO_PASSWORD } from './seeding/blueprints.js';
import { PLATFORM_ADMIN_EMAIL } from './seeding/people.js';
import { withClient } from './stack/roles.js';

const CLIENTS = { typescript: typescriptClient, python: pythonClient };
const options = readCommandLine('check-clients [--only typescript | python]', {
  only: { type: 'string', default: '' },
});

async function main(): Promise<void> {
  const chosen = Object.entries(CLIENTS).filter(([name]) => name.includes(options.only));
  if (chosen.length === 0) throw new Error(`There is no client ${options.only}.`);
  const dataDir = path.resolve(process.env['DATA_DIR'] || '.data-clients');
  // Prepares the clients first, so that a missing tool is reported before anything starts.
  const clients = await Promise.all(chosen.map(([name, prepare]) => prepare(path.join(dataDir, 'work', name))));
  const stack = await BenchStack.start(dataDir, 'demo', console.log);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stack.stop().then(() => process.exit(1)));
  try {
    const facts = await factsOf(stack);
    const description = path.join(dataDir, 'work', 'openapi.json');
    mkdirSync(path.dirname(description), { recursive: true });
    writeFileSync(description, await (await fetch(`${stack.apiUrl}/api/schema/`)).text());
    for (const check of clients) await check(description, facts);
  } finally {
    await stack.stop();
  }
}

/**
 * Returns the environment for a client: the people it signs in as, their organization, and a chapter with invoices to
 * pay.
 */
function factsOf(stack: BenchStack): Promise<Record<string, string>> {
  return withClient(stack.ownerUrl, async (owner) => {
    const { organizationId, chapterId, officer, admin, members } = await chooseWorld(owner);
    await issueOpenInvoices(owner, { organizationId, chapterId, count: 2 * Object.keys(CLIENTS).length });
    return {
      BASE_URL: stack.apiUrl,
      EMAIL: officer,
      PASSWORD: DEMO_PASSWORD,
      CHAPTER: chapterId,
      ORGANIZATION: organizationId,
      PLATFORM_ADMIN: PLATFORM_ADMIN_EMAIL,
      PEOPLE: [admin, officer, ...members.slice(0, 1), PLATFORM_ADMIN_EMAIL].join(' '),
    };
  });
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
