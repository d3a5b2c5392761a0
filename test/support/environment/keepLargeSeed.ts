/**
 * A process that runs a Postgres with the large seed: `keepLargeSeed.ts`. It prints how to reach the server on its last line, and
 * stops it when its standard input closes.
 * Seeding takes minutes of processor time, so the files of the server are kept in the per-user cache, and each run works on a copy:
 * until tomorrow, since dates are relative to the day, or until the code of the seed changes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { digestOf, filesBelow } from '../../../bin/building/bundleWorkflows.js';
import { seedLarge } from '../../../development/seeding/large/seedLarge.js';
import { cacheFolder, fetchInto } from '../../../development/stack/cache.js';
import { freePort } from '../../../development/stack/ports.js';
import { type Cluster, postgresProgram, prepareCluster, superuserUrl } from '../../../development/stack/postgres.js';
import { launch, stop, untilReady } from '../../../development/stack/program.js';
import { ensureDatabase, ensureRole, withClient } from '../../../development/stack/roles.js';
import { migrateUp } from '../../../models/database/migrate.js';
import { databaseUrl, LARGE_SEED, OWNER, RUNTIME } from './facts.js';
import { TESTED } from './largeScale.js';
import { UNSAFE_BUT_FAST } from './services.js';

const ROOT = path.resolve(__dirname, '../../..');
/** Files whose change invalidates the seed or the server's files. */
const MAKERS = ['models/database', 'models/identity/password', 'development/seeding', 'config.ts', 'package-lock.json'];
/** Half a gigabyte each. */
const KEPT = 2;
/**
 * The kept files are copied with their WAL; and an index must be cheaper than a table of a quarter of the rows, as it is with all
 * of them.
 */
const SMALL_LOG = { max_wal_size: '256MB', min_wal_size: '32MB', random_page_cost: 1.1 };

/** With paths from the root, so that checkouts share it. */
function nameOfSeed(): string {
  process.chdir(ROOT);
  const files = MAKERS.flatMap((one) => (statSync(one).isFile() ? [one] : filesBelow(one, ['.ts', '.sql'])));
  return `large-seed-${TESTED.organizations}-${new Date().toISOString().slice(0, 10)}-${digestOf(files)}`;
}

/** Runs a server in the folder for as long as the work takes. */
async function onServer(directory: string, work: (cluster: Cluster) => Promise<unknown>): Promise<void> {
  const cluster = await prepareCluster(directory, await freePort());
  const program = postgresProgram(cluster, { ...UNSAFE_BUT_FAST, ...SMALL_LOG });
  const server = await launch(program, path.join(directory, 'logs'));
  try {
    await untilReady(server);
    await work(cluster);
  } finally {
    await stop(server, 60);
  }
}

/** @returns the folder of a stopped server with the seed */
async function seeded(workshop: string): Promise<string> {
  const directory = path.join(workshop, 'postgres');
  await onServer(directory, async (cluster) => {
    await withClient(superuserUrl(cluster), async (client) => {
      await ensureRole(client, OWNER);
      await ensureRole(client, RUNTIME);
      await ensureDatabase(client, LARGE_SEED, OWNER.name);
    });
    const owner = databaseUrl(cluster.port, OWNER, LARGE_SEED);
    await migrateUp(owner, databaseUrl(cluster.port, RUNTIME, LARGE_SEED));
    await seedLarge(owner, { scale: TESTED });
  });
  return directory;
}

function forgetOlder(cache: string): void {
  const folder = path.dirname(cache);
  const seeds = readdirSync(folder)
    .filter((name) => name.startsWith('large-seed-'))
    .map((name) => path.join(folder, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const one of seeds.slice(KEPT)) rmSync(one, { recursive: true, force: true });
}

async function keep(): Promise<void> {
  const asked = new Promise((resolve) => process.stdin.on('close', resolve).resume());
  const cache = cacheFolder(nameOfSeed());
  if (!existsSync(cache)) {
    await fetchInto(cache, () => existsSync(cache), seeded);
    forgetOlder(cache);
  }
  const directory = mkdtempSync(path.join(os.tmpdir(), 'membership-large-'));
  try {
    // With owners: as root, the server runs as another user.
    execFileSync('cp', ['-a', `${cache}/.`, directory]);
    await onServer(directory, async ({ port, password }) => {
      console.log(`\n${JSON.stringify({ port, password })}`);
      await asked;
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

keep().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.stack);
    process.exit(1);
  },
);
