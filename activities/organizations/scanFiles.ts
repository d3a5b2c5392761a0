import { scanner } from '../../gateways/scan/scanner.js';
import type { Verdict } from '../../gateways/scan/port.js';
import { withStore } from '../../gateways/storage/withStore.js';
import { verifyChecksum } from '../../gateways/storage/verifyChecksum.js';
import { inTenant } from '../../models/database/tenancy.js';
import { log } from '../../models/log.js';
import {
  type FileToScan,
  readFileToScan,
  type ScanOutcome,
  settleScan,
} from '../../models/organizations/files/scanFile.js';
import { objectKey } from '../../models/organizations/files/storedFiles.js';
import type { ScanFileInput } from '../../workflows/contracts/scanFile.js';

/**
 * Scans a quarantined file. A second run returns the recorded result, or scans again. If it throws, the file stays
 * quarantined.
 * @throws ScannerUnavailable, StorageUnavailable
 */
export const scanStoredFile = async ({ organizationId, fileId }: ScanFileInput): Promise<ScanOutcome> => {
  const pending = await inTenant(organizationId, () => readFileToScan(fileId), { readOnly: true });
  if (typeof pending === 'string') return pending;
  const verdict = await scan(organizationId, pending);
  const end = await inTenant(organizationId, () => settleScan(fileId, verdict));
  if (end === 'infected') await removeNow(organizationId, pending);
  return end;
};

/** Scans the stored bytes after checking them against the recorded digest. */
const scan = (organizationId: string, file: FileToScan): Promise<Verdict> =>
  withStore(file.location.store, async (store) => {
    const bytes = verifyChecksum(await store.get(objectKey(organizationId, file.id, file.location)), file);
    try {
      return await scanner().scan(bytes);
    } finally {
      bytes.destroy();
    }
  });

/** Deletes an infected file at once. If this fails, the cleanup schedule deletes the object later. */
const removeNow = async (organizationId: string, { id, location }: FileToScan): Promise<void> => {
  await withStore(location.store, (store) => store.remove(objectKey(organizationId, id, location))).catch(
    (error: unknown) => {
      log.warn({ err: error, fileId: id }, 'could not delete an infected file; the cleanup schedule will delete it');
    },
  );
};
