import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withStore } from '../../gateways/storage/withStore.js';
import { isSameBucket } from '../../gateways/storage/isSameBucket.js';
import { ObjectMissing, ChecksumMismatch, type StoragePort } from '../../gateways/storage/port.js';
import { verifyChecksum } from '../../gateways/storage/verifyChecksum.js';
import { inTenant } from '../../models/database/tenancy.js';
import { objectKey, testObjectKey } from '../../models/organizations/files/storedFiles.js';
import {
  failMigration,
  type MigrationWait,
  settleMigration,
  stopMigration,
  stopWithoutRight,
} from '../../models/organizations/storage-migrations/endMigration.js';
import {
  type FileToMove,
  recordMissing,
  type Stores,
  readMigrationStores,
  switchFile,
  claimNextFile,
} from '../../models/organizations/storage-migrations/moveFile.js';
import type { MigrationStatus } from '../../models/organizations/storage-migrations/StorageMigration.js';
import type { StorageMigrationInput } from '../../workflows/contracts/storageMigration.js';

const MAX_FILES = 50;
const MAX_BATCH_MS = 60_000;

/**
 * Moves the next files one after another. Files that were not tried yet come first, also when the step is repeated. The
 * migration stops if the person who requested it has lost the right to do so.
 * @returns whether there may be more
 * @throws StorageUnavailable
 */
export async function moveNextFiles({ organizationId, migrationId }: StorageMigrationInput): Promise<boolean> {
  if (await inTenant(organizationId, () => stopWithoutRight(migrationId))) return false;
  const stores = await inTenant(organizationId, () => readMigrationStores(migrationId), { readOnly: true });
  if (!stores) return false;
  // Two configurations may name the same bucket. Source and destination are then the same objects, and nothing may be
  // deleted.
  const areDistinct = !(await isSameBucket(stores.to, stores.from, testObjectKey(organizationId, migrationId)));
  const move = areDistinct ? copyAndVerify : verifyInPlace;
  const deadline = Date.now() + MAX_BATCH_MS;
  return withStore(stores.from.store, (from) =>
    withStore(stores.to.store, async (to) => {
      for (let files = 0; files < MAX_FILES && Date.now() < deadline; files += 1) {
        const file = await inTenant(organizationId, () => claimNextFile(migrationId, areDistinct));
        if (!file) return false;
        const isMoved = await move(organizationId, file, stores, { from, to });
        await inTenant(organizationId, () => (isMoved ? switchFile : recordMissing)(migrationId, file, areDistinct));
      }
      return true;
    }),
  );
}

/**
 * Moves one file.
 * @returns false if the source does not have the file, or has different bytes
 */
type MoveFile = (
  organizationId: string,
  file: FileToMove,
  places: Stores,
  stores: { from: StoragePort; to: StoragePort },
) => Promise<boolean>;

/** Copies a file and verifies the copy by reading it back. */
const copyAndVerify: MoveFile = async (organizationId, file, places, { from, to }) => {
  const key = objectKey(organizationId, file.id, places.to);
  let source: Readable | null = null;
  try {
    source = verifyChecksum(await from.get(objectKey(organizationId, file.id, places.from)), file);
    await to.put(key, source);
  } catch (error) {
    return falseIfMissing(error);
  } finally {
    // If a store failed, the rest of the source stream was not read, so the stream is closed here.
    source?.destroy();
  }
  await verifyStored(to, key, file);
  return true;
};

/** Verifies a file that is already at the destination. */
const verifyInPlace: MoveFile = (organizationId, file, places, { to }) =>
  verifyStored(to, objectKey(organizationId, file.id, places.to), file).then(() => true, falseIfMissing);

const verifyStored = async (store: StoragePort, key: string, file: FileToMove): Promise<void> =>
  pipeline(verifyChecksum(await store.get(key), file), new Writable({ write: (_chunk, _encoding, next) => next() }));

/** Returns false for an object that is missing or differs. Throws every other error. */
function falseIfMissing(error: unknown): false {
  if (error instanceof ObjectMissing || error instanceof ChecksumMismatch) return false;
  throw error;
}

/**
 * Completes the migration.
 * @returns its final status, or what it waits for; null while there are more files to move
 */
export const settleStorageMigration = ({
  organizationId,
  migrationId,
}: StorageMigrationInput): Promise<MigrationStatus | MigrationWait | null> =>
  inTenant(organizationId, () => settleMigration(migrationId));

/** Fails a migration whose stores cannot be reached. */
export const failStorageMigration = ({ organizationId, migrationId }: StorageMigrationInput): Promise<void> =>
  inTenant(organizationId, () => failMigration(migrationId));

/** Cancels a migration whose process was cancelled. */
export const stopStorageMigration = ({ organizationId, migrationId }: StorageMigrationInput): Promise<void> =>
  inTenant(organizationId, () => stopMigration(migrationId));
