/** The stand-in of the storage for a test file, which is the platform's storage from now on. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { config } from '../../config.js';
import { OWN_STORAGE, STORAGE, STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import { type Bucket, type StorageStandin, startStorageStandin } from '../../development/standins/storage/server.js';
import type { S3Settings } from '../../gateways/storage/s3.js';
import { closeStore } from '../../gateways/storage/store.js';

export interface StorageWorld extends StorageStandin {
  settings: S3Settings;
  clock: { skewMs: number };
}

/** @param others buckets beside the platform's and one of an organization's own */
export function aStore(others: readonly Bucket[] = []): StorageWorld {
  const world = { clock: { skewMs: 0 } } as StorageWorld;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'storage-test-'));
  beforeAll(async () => {
    const now = () => Date.now() + world.clock.skewMs;
    Object.assign(
      world,
      await startStorageStandin({
        port: 0,
        folder,
        buckets: [STORAGE, OWN_STORAGE, ...others],
        provisioner: STORAGE_PROVISIONER,
        now,
      }),
    );
    world.settings = { ...STORAGE, region: 'us-east-1', endpoint: world.url };
    Object.assign(config, { storage: world.settings });
  });
  afterAll(async () => {
    closeStore();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return world;
}
