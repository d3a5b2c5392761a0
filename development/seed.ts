/**
 * seed [--size demo | large]: creates organizations with their people and money, connected as the owner role. Running
 * it again changes nothing. Development only.
 */
import { config } from '../config.js';
import { readCommandLine } from '../bin/commandLine.js';
import { DEMO_PASSWORD, SIZES, type Size } from './seeding/blueprints.js';
import { writeFacts } from './seeding/facts.js';
import { seedLarge } from './seeding/large/seedLarge.js';
import { progressDisplay } from './seeding/progress.js';
import { seed } from './seeding/seed.js';
import { reportFailure } from '../bin/reportFailure.js';

interface Outcome {
  added: string[];
  /** One line per organization: the people who can sign in to it. */
  people: string[];
  file: string;
}

async function seedDemo(size: Size): Promise<Outcome> {
  const { added, organizations } = await seed(config.DATABASE_OWNER_URL, size);
  const people = organizations.map(
    ({ slug, users }) =>
      `${slug}: ${Object.values(users)
        .map(({ email }) => email)
        .join(', ')}`,
  );
  return { added, people, file: writeFacts('seed.json', organizations) };
}

async function seedManyOrganizations(): Promise<Outcome> {
  const display = progressDisplay(process.stdout.isTTY, (line) => console.log(line));
  try {
    const { added, organizations } = await seedLarge(config.DATABASE_OWNER_URL, { onProgress: display.show });
    const people = organizations
      .slice(0, 1)
      .map(({ slug, admin_email: admin, chapters: [chapter] }) => `${slug}: ${admin}, ${chapter?.officer_email}`);
    return { added, people, file: writeFacts('seed-large.json', organizations) };
  } finally {
    display.end();
  }
}

async function main(): Promise<void> {
  const sizes = [...Object.keys(SIZES), 'large'];
  const { size } = readCommandLine(`seed [--size ${sizes.join(' | ')}]`, { size: { type: 'string', default: 'demo' } });
  if (size !== 'large' && !(size in SIZES)) throw new Error(`--size must be one of: ${sizes.join(', ')}`);
  const started = Date.now();
  const { added, people, file } = size === 'large' ? await seedManyOrganizations() : await seedDemo(size as Size);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(
    added.length > 0
      ? `Seeded ${added.length > 4 ? `${added.length} organizations` : added.join(' and ')} in ${seconds} s.`
      : `The ${size} organizations exist already; nothing was changed.`,
  );
  for (const line of people) console.log(line);
  console.log(`Password of all: ${DEMO_PASSWORD}. Facts for tools: ${file}`);
}

main().catch(reportFailure);
