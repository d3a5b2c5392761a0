import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inStore } from '../../gateways/storage/inStore.js';
import { areOnePlace } from '../../gateways/storage/onePlace.js';
import { ObjectMissing, OtherBytes, type StoragePort } from '../../gateways/storage/port.js';
import { whole } from '../../gateways/storage/whole.js';
import { inTenant } from '../../models/database/tenancy.js';
import { keyOf, trialOf } from '../../models/organizations/files/storedFiles.js';
import {
  failMigration,
  type MigrationWait,
  settleMigration,
  stopMigration,
  stopWithoutRight,
} from '../../models/organizations/storage-migrations/endMigration.js';
import {
  type FileToMove,
  noteMissing,
  type Stores,
  storesOf,
  switchFile,
  takeNextFile,
} from '../../models/organizations/storage-migrations/moveFile.js';
import type { MigrationStatus } from '../../models/organizations/storage-migrations/StorageMigration.js';
import type { StorageMigrationInput } from '../../workflows/contracts/storageMigration.js';

const FILES = 50;
const LONGEST_MS = 60_000;

/**
 * Moves the next files, one after the other. Run again, it begins with one that was not tried. @returns whether there may
 * be more. The move stops when the person who asked for it has lost the right. @throws StorageUnavailable
 */
export async function moveNextFiles({ organizationId, migrationId }: StorageMigrationInput): Promise<boolean> {
  if (await inTenant(organizationId, () => stopWithoutRight(migrationId))) return false;
  const stores = await inTenant(organizationId, () => storesOf(migrationId), { readOnly: true });
  if (!stores) return false;
  // Two configurations may name the same bucket: then source and destination are the same objects and nothing may be
  // removed.
  const areApart = !(await areOnePlace(stores.to, stores.from, trialOf(organizationId, migrationId)));
  const go = areApart ? copy : look;
  const enough = Date.now() + LONGEST_MS;
  return inStore(stores.from.store, (from) =>
    inStore(stores.to.store, async (to) => {
      for (let files = 0; files < FILES && Date.now() < enough; files += 1) {
        const file = await inTenant(organizationId, () => takeNextFile(migrationId, areApart));
        if (!file) return false;
        const came = await go(organizationId, file, stores, { from, to });
        await inTenant(organizationId, () => (came ? switchFile : noteMissing)(migrationId, file, areApart));
      }
      return true;
    }),
  );
}

/** @returns false if the source does not have the file, or has other bytes */
type Go = (
  organizationId: string,
  file: FileToMove,
  places: Stores,
  stores: { from: StoragePort; to: StoragePort },
) => Promise<boolean>;

/** Copies a file and verifies the copy by reading it back. */
const copy: Go = async (organizationId, file, places, { from, to }) => {
  const key = keyOf(organizationId, file.id, places.to);
  let source: Readable | null = null;
  try {
    source = whole(await from.get(keyOf(organizationId, file.id, places.from)), file);
    await to.put(key, source);
  } catch (error) {
    return isMissing(error);
  } finally {
    // A store that failed leaves the rest of the source stream unread.
    source?.destroy();
  }
  await readWhole(to, key, file);
  return true;
};

/** For a file that is already at the destination. */
const look: Go = (organizationId, file, places, { to }) =>
  readWhole(to, keyOf(organizationId, file.id, places.to), file).then(() => true, isMissing);

const readWhole = async (store: StoragePort, key: string, file: FileToMove): Promise<void> =>
  pipeline(whole(await store.get(key), file), new Writable({ write: (_chunk, _encoding, next) => next() }));

/** @throws every other error */
function isMissing(error: unknown): false {
  if (error instanceof ObjectMissing || error instanceof OtherBytes) return false;
  throw error;
}

/** @returns how the migration ended, or what it waits for; null while other files are left. */
export const settleStorageMigration = ({
  organizationId,
  migrationId,
}: StorageMigrationInput): Promise<MigrationStatus | MigrationWait | null> =>
  inTenant(organizationId, () => settleMigration(migrationId));

/** Ends a migration whose stores cannot be reached. */
export const failStorageMigration = ({ organizationId, migrationId }: StorageMigrationInput): Promise<void> =>
  inTenant(organizationId, () => failMigration(migrationId));

/** Ends a migration whose process was cancelled. */
export const stopStorageMigration = ({ organizationId, migrationId }: StorageMigrationInput): Promise<void> =>
  inTenant(organizationId, () => stopMigration(migrationId));
