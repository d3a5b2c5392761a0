/** Runs the single measurements, each a figure with its maximum. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { ANNUAL_RECEIPTS, measureAnnualReceipts } from './annualReceipts.js';
import { AUDIENCE, type Check, measureAudience, measureSockets } from './audience.js';
import type { Bare } from './bareStatement.js';
import { MANY, measureMany } from './bulkChanges.js';
import { COLLECTING, measureCollecting } from './collecting.js';
import { BULLETIN, measureBulletin } from './bulletin.js';
import { CROSSING, measureCrossing } from './crossing.js';
import type { Generator } from './generator.js';
import { GIFT_EXPORT, measureGiftExport } from './giftExport.js';
import { IMPORTING, measureImport } from './importing.js';
import { measureMoving, MOVING } from './movingFiles.js';
import { measurePosting, POSTING } from './posting.js';
import { ELSEWHERE, measureReplicaReads } from './replicaReads.js';
import { makeCharges, measureReconciling, RECONCILING } from './reconciling.js';
import { measureSleepingPledges, SLEEPING } from './sleepingPledges.js';
import type { BenchStack } from './stack.js';
import type { World } from './world.js';
import { withClient } from '../stack/roles.js';
import { startAccountsStandin } from '../standins/accounts/server.js';
import { OWN_STORAGE, STORAGE, STORAGE_PROVISIONER, storageFolder } from '../stack/storage.js';
import { cardAccountOf } from '../seeding/cardAccount.js';
import { startStandin } from '../standins/payments/server.js';
import { accountOf } from '../standins/payments/state/identifiers.js';
import { Objects } from '../standins/storage/objects.js';
import { startStorageStandin } from '../standins/storage/server.js';

interface Sizes {
  /** Number of posts to each forum. */
  posts: number;
  alerts: number;
  sockets: number;
  graduates: number;
  lines: number;
  crossing: number;
  files: number;
  megabytes: number;
  movements: number;
  invoices: number;
  /** Number of exports of gifts. */
  exports: number;
  donors: number;
  receipts: number;
  pledges: number;
  reads: number;
  seconds: number;
}

/** Number of database connections in the measurement of a single SQL statement. */
const CONNECTIONS = 16;

/**
 * Runs the single measurements whose names contain `only`.
 * @param only part of the name of the measurements to run
 */
export async function runSingleMeasurements(
  stack: BenchStack,
  world: World,
  numbers: Sizes,
  only: string,
): Promise<Check[]> {
  const all = {
    // First: it cancels the fan-outs of posts, which would delay the alert.
    [POSTING]: measurePosts,
    [AUDIENCE]: measureAlert,
    [MANY]: measureBulkChanges,
    [IMPORTING]: measureRosterImport,
    [CROSSING]: measureLineCrossing,
    [MOVING]: measureFileMove,
    [RECONCILING]: measureComparison,
    [COLLECTING]: measureInvoicing,
    [GIFT_EXPORT]: measureExportedGifts,
    [ANNUAL_RECEIPTS]: measureIssuedReceipts,
    [BULLETIN]: measureMailedBulletin,
    [SLEEPING]: measureRecoveredPledges,
    [ELSEWHERE]: readElsewhere,
  };
  const checks: Check[] = [];
  for (const [name, measure] of Object.entries(all)) {
    if (!name.includes(only)) continue;
    console.log(`Measuring: ${name} …`);
    checks.push(...(await measure(stack, world, numbers)));
  }
  return checks;
}

/** Measures an alert to everybody. It cancels the remaining mails, which would disturb later measurements. */
async function measureAlert(stack: BenchStack, world: World, { alerts, sockets: count }: Sizes): Promise<Check[]> {
  const [apiPid] = stack.apiPids as [number];
  return withClient(stack.ownerUrl, async (owner) => {
    const sockets = await measureSockets(owner, { api: stack.apiUrl, apiPid, count });
    const startWorker = () => stack.startNotificationWorker();
    const audienceChecks = await measureAudience({ owner, api: stack.apiUrl, world, startWorker, requests: alerts });
    await stack.stopNotificationWorker();
    return [...audienceChecks, sockets];
  });
}

const measurePosts = (stack: BenchStack, world: World, { posts }: Sizes): Promise<Check[]> =>
  withClient(stack.ownerUrl, (owner) => measurePosting({ owner, api: stack.apiUrl, world, posts }));

const measureExportedGifts = (stack: BenchStack, _world: World, { exports }: Sizes): Promise<Check[]> =>
  withClient(stack.ownerUrl, (owner) =>
    measureGiftExport({ owner, api: stack.apiUrl, apiPid: stack.apiPids[0] as number, exports }),
  );

/** Runs a measurement that needs the load generator and a worker of its own. */
async function withGenerator(
  stack: BenchStack,
  queue: string,
  measure: (tools: GeneratorTools) => Promise<Check[]>,
): Promise<Check[]> {
  const generator = await stack.startGenerator();
  try {
    return await withClient(stack.ownerUrl, (owner) =>
      measure({
        owner,
        generator,
        startWorker: () => stack.startNotificationWorker(queue),
        stopWorker: () => stack.stopNotificationWorker(),
      }),
    );
  } finally {
    await generator.stop();
  }
}

interface GeneratorTools {
  owner: Client;
  generator: Generator;
  startWorker: () => Promise<number>;
  stopWorker: () => Promise<void>;
}

/** Concurrent mails of a bare loop, as many as the product sends at a time. */
const MAILS_AT_A_TIME = 10;

const measureMailedBulletin = (stack: BenchStack, { organizationId }: World, { donors }: Sizes): Promise<Check[]> =>
  withGenerator(stack, 'bulk', ({ generator, ...tools }) => {
    const sendBare = (count: number) =>
      generator.run({ kind: 'send', channel: 'email', count, connections: MAILS_AT_A_TIME });
    return measureBulletin({ ...tools, organizationId, donors, sendBare });
  });

const measureIssuedReceipts = (
  stack: BenchStack,
  { organizationId }: World,
  { receipts: donors }: Sizes,
): Promise<Check[]> =>
  withGenerator(stack, 'bulk', ({ generator, ...tools }) => {
    const { ownerUrl } = stack;
    const drawBare = (runId: string) => generator.run({ kind: 'draw', ownerUrl, runId, connections: MAILS_AT_A_TIME });
    return measureAnnualReceipts({ ...tools, organizationId, donors, drawBare });
  });

const measureRecoveredPledges = (stack: BenchStack, { admin }: World, { pledges }: Sizes): Promise<Check[]> =>
  withGenerator(stack, 'core', (tools) => measureSleepingPledges({ ...tools, api: stack.apiUrl, admin, pledges }));

async function measureBulkChanges(stack: BenchStack, world: World, { graduates, seconds }: Sizes): Promise<Check[]> {
  return withClient(stack.ownerUrl, async (owner) => {
    const bare = bareOf(stack, world, { connections: CONNECTIONS, seconds });
    const startWorker = () => stack.startNotificationWorker('bulk');
    const changed = await measureMany({ owner, api: stack.apiUrl, world, bare, startWorker, members: graduates });
    await stack.stopNotificationWorker();
    return changed;
  });
}

async function measureRosterImport(stack: BenchStack, world: World, { lines }: Sizes): Promise<Check[]> {
  return withClient(stack.ownerUrl, async (owner) => {
    const startWorker = () => stack.startNotificationWorker('bulk');
    const checks = await measureImport({ owner, api: stack.apiUrl, world, startWorker, lines });
    await stack.stopNotificationWorker();
    return checks;
  });
}

async function measureLineCrossing(stack: BenchStack, world: World, { crossing: members }: Sizes): Promise<Check[]> {
  const folder = stack.folder('accounts');
  // Delete the accounts of the last run: their addresses could not be used again.
  rmSync(folder, { recursive: true, force: true });
  const suite = await startAccountsStandin({ workspacePort: 0, officePort: 0, folder });
  // The address of the suite can be set only outside production. In production the suite's library always uses the real
  // provider's fixed address.
  const suiteEnvironment = { NODE_ENV: 'development', WORKSPACE_SUITE_URL: suite.workspace.url };
  try {
    return await withClient(stack.ownerUrl, async (owner) => {
      const startWorker = () => stack.startNotificationWorker('core,notify', suiteEnvironment);
      const checks = await measureCrossing({ owner, api: stack.apiUrl, world, startWorker, suite, members });
      await stack.stopNotificationWorker();
      return checks;
    });
  } finally {
    await suite.close();
  }
}

async function measureFileMove(stack: BenchStack, world: World, { files, megabytes }: Sizes): Promise<Check[]> {
  const { production, ownStorePort: port } = stack.settings;
  const folder = stack.folder('own-store');
  const from = new Objects(path.join(storageFolder(production), STORAGE.bucket));
  rmSync(folder, { recursive: true, force: true });
  const to = await startStorageStandin({ port, folder, buckets: [OWN_STORAGE], provisioner: STORAGE_PROVISIONER });
  try {
    return await withClient(stack.ownerUrl, async (owner) => {
      const startWorker = () => stack.startNotificationWorker('bulk');
      const checks = await measureMoving({ owner, api: stack.apiUrl, world, startWorker, from, to, files, megabytes });
      await stack.stopNotificationWorker();
      return checks;
    });
  } finally {
    await to.close();
    rmSync(folder, { recursive: true, force: true });
    for (const key of from.keys()) from.remove(key);
  }
}

/** Measures a reconciliation with a separate gateway, which holds all charges from the start. */
async function measureComparison(stack: BenchStack, world: World, { movements }: Sizes): Promise<Check[]> {
  const folder = stack.folder('compared');
  rmSync(folder, { recursive: true, force: true });
  return withClient(stack.ownerUrl, async (owner) => {
    const { secretKey } = cardAccountOf(world.slug, stack.settings.production.cardSecrets);
    await makeCharges(folder, accountOf(secretKey), movements);
    const gateway = await startStandin({ port: 0, controlPort: 0, dataDir: folder });
    try {
      const startWorker = () => stack.startNotificationWorker('bulk', { STRIPE_API_URL: gateway.url });
      const checks = await measureReconciling({ owner, world, startWorker, movements });
      await stack.stopNotificationWorker();
      return checks;
    } finally {
      await gateway.close();
    }
  });
}

/** Measures financial bulk operations. It runs last, because it issues invoices to all members. */
async function measureInvoicing(stack: BenchStack, world: World, { invoices, seconds }: Sizes): Promise<Check[]> {
  return withClient(stack.ownerUrl, (owner) =>
    measureCollecting({
      owner,
      api: stack.apiUrl,
      world,
      startWorker: (queue) => stack.startNotificationWorker(queue),
      stopWorker: () => stack.stopNotificationWorker(),
      rows: invoices,
      bare: bareOf(stack, world, { connections: CONNECTIONS, seconds }),
    }),
  );
}

async function readElsewhere(stack: BenchStack, world: World, { reads }: Sizes): Promise<Check[]> {
  if (process.platform !== 'linux') return [];
  const { api, primary } = await stack.startWithReplica();
  return measureReplicaReads({ api, officers: world.readers.officers, reads, primary });
}

/** Returns the settings for statements that run on Postgres without the product. */
export const bareOf = (
  { databaseUrl }: BenchStack,
  { organizationId, officerId: userId }: World,
  { connections, seconds }: Pick<Bare, 'connections' | 'seconds'>,
): Bare => ({
  databaseUrl,
  organizationId,
  userId,
  connections,
  seconds,
});
