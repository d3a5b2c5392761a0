/** seed [--size demo]: two demo organizations, as the owner role; again and it changes nothing. Development only. */
import { parseArgs } from 'node:util';
import { config } from '../config.js';
import { DEMO_PASSWORD, SIZES, type Size } from './seeding/blueprints.js';
import { writeFacts } from './seeding/facts.js';
import { seed } from './seeding/seed.js';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { size: { type: 'string', default: 'demo' } } });
  if (!(values.size in SIZES)) throw new Error(`--size must be one of: ${Object.keys(SIZES).join(', ')}`);
  const started = Date.now();
  const { added, organizations } = await seed(config.DATABASE_OWNER_URL, values.size as Size);
  const file = writeFacts(organizations);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(
    added.length > 0 ? `Seeded ${added.join(' and ')} in ${seconds} s.` : 'The demo organizations are there already.',
  );
  for (const { slug, users } of organizations) {
    console.log(
      `${slug}: ${Object.values(users)
        .map(({ email }) => email)
        .join(', ')}`,
    );
  }
  console.log(`Password of all: ${DEMO_PASSWORD}. Facts for tools: ${file}`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
