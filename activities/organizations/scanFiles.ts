import { scanner } from '../../gateways/scan/scanner.js';
import type { Verdict } from '../../gateways/scan/port.js';
import { inStore } from '../../gateways/storage/inStore.js';
import { whole } from '../../gateways/storage/whole.js';
import { inTenant } from '../../models/database/tenancy.js';
import { log } from '../../models/log.js';
import { type FileToScan, fileToScan, type ScanEnd, settleScan } from '../../models/organizations/files/scanFile.js';
import { keyOf } from '../../models/organizations/files/storedFiles.js';
import type { ScanFileInput } from '../../workflows/contracts/scanFile.js';

/**
 * Scans a quarantined file. A second run returns the recorded result or scans again. @throws ScannerUnavailable,
 * StorageUnavailable; the file stays quarantined
 */
export const scanStoredFile = async ({ organizationId, fileId }: ScanFileInput): Promise<ScanEnd> => {
  const held = await inTenant(organizationId, () => fileToScan(fileId), { readOnly: true });
  if (typeof held === 'string') return held;
  const verdict = await scan(organizationId, held);
  const end = await inTenant(organizationId, () => settleScan(fileId, verdict));
  if (end === 'infected') await removeNow(organizationId, held);
  return end;
};

/** Scans the stored bytes after checking them against the recorded digest. */
const scan = (organizationId: string, file: FileToScan): Promise<Verdict> =>
  inStore(file.place.store, async (store) => {
    const bytes = whole(await store.get(keyOf(organizationId, file.id, file.place)), file);
    try {
      return await scanner().scan(bytes);
    } finally {
      bytes.destroy();
    }
  });

/** If removal fails here, the sweep removes the object later. */
const removeNow = async (organizationId: string, { id, place }: FileToScan): Promise<void> => {
  await inStore(place.store, (store) => store.remove(keyOf(organizationId, id, place))).catch((error: unknown) => {
    log.warn({ err: error, fileId: id }, 'an infected file is still in its store; the sweep removes it');
  });
};
