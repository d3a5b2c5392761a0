/**
 * A worker is killed in the middle of a process about memberships, accounts or storage: the next worker completes it, and
 * nothing happens twice.
 */
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import { officeSuites } from '../gateways/accounts.support.js';
import { aStore } from '../gateways/storage.support.js';
import { expectSoundLedger } from '../support/ledger.js';
import { type Platform, startPlatform } from '../support/platform.js';
import { workerDies } from '../support/workerDies.js';
import { aWorld, type World } from '../support/world.js';
import { killedMemberships } from './workerDiesMemberships.support.js';
import { killedProvisioning } from './workerDiesProvisioning.support.js';

const platform = {} as Platform;
const world = {} as World;
const suites = officeSuites();
const storage = aStore();
/** The output of the workers. */
const folder = mkdtempSync(path.join(os.tmpdir(), 'workers-'));
const logPath = path.join(folder, 'output');
const logFile = openSync(logPath, 'a');

beforeAll(async () => {
  Object.assign(platform, await startPlatform({ worker: 'none' }));
  Object.assign(world, await aWorld({ members: 3 }));
});
afterEach(expectSoundLedger);
afterAll(async () => {
  await platform.close();
  closeSync(logFile);
  rmSync(folder, { recursive: true });
});

workerDies(
  [...killedMemberships({ platform, world }), ...killedProvisioning({ platform, world, suites, storage, logPath })],
  () => ({
    LOG_LEVEL: 'debug',
    STRIPE_API_URL: platform.gateway.url,
    STRIPE_TIMEOUT_SECONDS: '2',
    WORKSPACE_SUITE_URL: suites.workspace.url,
    STORAGE_ALLOWED_HOSTS: new URL(storage.url).host,
    STORAGE_PROVISIONING_ACCESS_KEY_ID: STORAGE_PROVISIONER.accessKeyId,
    STORAGE_PROVISIONING_SECRET_ACCESS_KEY: STORAGE_PROVISIONER.secretAccessKey,
    STORAGE_PROVISIONING_ENDPOINT: storage.url,
    STORAGE_PROVISIONING_IDENTITY_ENDPOINT: storage.url,
  }),
  logFile,
);
