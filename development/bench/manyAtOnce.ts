/** What is measured once, each figure beside the most that it may be. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { AUDIENCE, type Check, measureAudience, measureSockets } from './audience.js';
import type { Bare } from './bareStatement.js';
import { MANY, measureMany } from './changesOfMany.js';
import { COLLECTING, measureCollecting } from './collecting.js';
import { CROSSING, measureCrossing } from './crossing.js';
import { IMPORTING, measureImport } from './importing.js';
import { measureMoving, MOVING } from './movingFiles.js';
import { ELSEWHERE, measureElsewhere } from './readingElsewhere.js';
import { makeCharges, measureReconciling, RECONCILING } from './reconciling.js';
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

interface Numbers {
  alerts: number;
  sockets: number;
  graduates: number;
  lines: number;
  crossing: number;
  files: number;
  megabytes: number;
  movements: number;
  invoices: number;
  reads: number;
  seconds: number;
}

/** Of a statement that is measured alone. */
const CONNECTIONS = 16;

/** @param only part of the name of what is wanted */
export async function manyAtOnce(stack: BenchStack, world: World, numbers: Numbers, only: string): Promise<Check[]> {
  const all = {
    [AUDIENCE]: everybodyTold,
    [MANY]: manyChanged,
    [IMPORTING]: imported,
    [CROSSING]: crossed,
    [MOVING]: moved,
    [RECONCILING]: compared,
    [COLLECTING]: collected,
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

/** What it leaves to be mailed would be in the way of anything else. */
async function everybodyTold(stack: BenchStack, world: World, { alerts, sockets: count }: Numbers): Promise<Check[]> {
  const [apiPid] = stack.apiPids as [number];
  return withClient(stack.ownerUrl, async (owner) => {
    const sockets = await measureSockets(owner, { api: stack.apiUrl, apiPid, count });
    const startWorker = () => stack.startTellingWorker();
    const told = await measureAudience({ owner, api: stack.apiUrl, world, startWorker, requests: alerts });
    await stack.stopTellingWorker();
    return [...told, sockets];
  });
}

async function manyChanged(stack: BenchStack, world: World, { graduates, seconds }: Numbers): Promise<Check[]> {
  return withClient(stack.ownerUrl, async (owner) => {
    const bare = bareOf(stack, world, { connections: CONNECTIONS, seconds });
    const startWorker = () => stack.startTellingWorker('bulk');
    const changed = await measureMany({ owner, api: stack.apiUrl, world, bare, startWorker, members: graduates });
    await stack.stopTellingWorker();
    return changed;
  });
}

async function imported(stack: BenchStack, world: World, { lines }: Numbers): Promise<Check[]> {
  return withClient(stack.ownerUrl, async (owner) => {
    const startWorker = () => stack.startTellingWorker('bulk');
    const checks = await measureImport({ owner, api: stack.apiUrl, world, startWorker, lines });
    await stack.stopTellingWorker();
    return checks;
  });
}

async function crossed(stack: BenchStack, world: World, { crossing: members }: Numbers): Promise<Check[]> {
  const folder = stack.folder('accounts');
  // Those of the last run would have the addresses.
  rmSync(folder, { recursive: true, force: true });
  const suite = await startAccountsStandin({ workspacePort: 0, officePort: 0, folder });
  // In production a suite has one address, which its library knows.
  const played = { NODE_ENV: 'development', WORKSPACE_SUITE_URL: suite.workspace.url };
  try {
    return await withClient(stack.ownerUrl, async (owner) => {
      const startWorker = () => stack.startTellingWorker('core,notify', played);
      const checks = await measureCrossing({ owner, api: stack.apiUrl, world, startWorker, suite, members });
      await stack.stopTellingWorker();
      return checks;
    });
  } finally {
    await suite.close();
  }
}

async function moved(stack: BenchStack, world: World, { files, megabytes }: Numbers): Promise<Check[]> {
  const { production, ownStorePort: port } = stack.settings;
  const folder = stack.folder('own-store');
  const from = new Objects(path.join(storageFolder(production), STORAGE.bucket));
  rmSync(folder, { recursive: true, force: true });
  const to = await startStorageStandin({ port, folder, buckets: [OWN_STORAGE], provisioner: STORAGE_PROVISIONER });
  try {
    return await withClient(stack.ownerUrl, async (owner) => {
      const startWorker = () => stack.startTellingWorker('bulk');
      const checks = await measureMoving({ owner, api: stack.apiUrl, world, startWorker, from, to, files, megabytes });
      await stack.stopTellingWorker();
      return checks;
    });
  } finally {
    await to.close();
    rmSync(folder, { recursive: true, force: true });
    for (const key of from.keys()) from.remove(key);
  }
}

/** By a gateway of its own, which has all of it from the beginning. */
async function compared(stack: BenchStack, world: World, { movements }: Numbers): Promise<Check[]> {
  const folder = stack.folder('compared');
  rmSync(folder, { recursive: true, force: true });
  return withClient(stack.ownerUrl, async (owner) => {
    const { secretKey } = cardAccountOf(world.slug, stack.settings.production.cardSecrets);
    await makeCharges(folder, accountOf(secretKey), movements);
    const gateway = await startStandin({ port: 0, controlPort: 0, dataDir: folder });
    try {
      const startWorker = () => stack.startTellingWorker('bulk', { STRIPE_API_URL: gateway.url });
      const checks = await measureReconciling({ owner, world, startWorker, movements });
      await stack.stopTellingWorker();
      return checks;
    } finally {
      await gateway.close();
    }
  });
}

/** Last: everybody is billed for it. */
async function collected(stack: BenchStack, world: World, { invoices, seconds }: Numbers): Promise<Check[]> {
  return withClient(stack.ownerUrl, (owner) =>
    measureCollecting({
      owner,
      api: stack.apiUrl,
      world,
      startWorker: (queue) => stack.startTellingWorker(queue),
      stopWorker: () => stack.stopTellingWorker(),
      rows: invoices,
      bare: bareOf(stack, world, { connections: CONNECTIONS, seconds }),
    }),
  );
}

async function readElsewhere(stack: BenchStack, world: World, { reads }: Numbers): Promise<Check[]> {
  if (process.platform !== 'linux') return [];
  const { api, primary } = await stack.startWithReplica();
  return measureElsewhere({ api, officers: world.readers.officers, reads, primary });
}

/** What statements alone run on. */
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
