/** Writes tables as stored objects, one batch of rows at a time. No transaction is open between batches. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { withStore } from '../gateways/storage/withStore.js';
import type { Batch } from '../gateways/tables/columns.js';
import { inTenant } from '../models/database/tenancy.js';
import { type NewFile, type FileFacts, abandonUpload, objectKey } from '../models/organizations/files/storedFiles.js';

/** Thrown when the export is cancelled while it is being written. */
class ExportCancelled extends Error {}

/**
 * Yields the rows of all batches. Each batch is read in its own transaction.
 * @param readBatch reads the batch after a cursor; returns null when the export was cancelled
 */
export async function* rowsInBatches<Cursor>(
  readBatch: (after: Cursor | null, written: number) => Promise<{ rows: Batch; last: Cursor | null } | null>,
): AsyncGenerator<Batch> {
  let written = 0;
  let after: Cursor | null = null;
  do {
    const batch: { rows: Batch; last: Cursor | null } | null = await readBatch(after, written);
    if (!batch) throw new ExportCancelled();
    written += batch.rows.length;
    after = batch.last;
    yield batch.rows;
  } while (after);
}

/** Uploads a table. Deletes the file if the upload or `record` fails. */
export async function storeTable<Recorded>(
  organizationId: string,
  file: NewFile,
  table: Readable,
  record: (facts: Pick<FileFacts, 'size_bytes' | 'sha256'>) => Promise<Recorded>,
): Promise<Recorded | null> {
  const { bytes, facts } = withDigest(table);
  try {
    await withStore(file.location.store, (store) =>
      store.put(objectKey(organizationId, file.id, file.location), bytes),
    );
    return await inTenant(organizationId, () => record(facts()));
  } catch (error) {
    await inTenant(organizationId, () => abandonUpload(file.id));
    if (error instanceof ExportCancelled) return null;
    throw error;
  } finally {
    // If the store failed, the rest of the streams was not read, so they are closed here.
    bytes.destroy();
    table.destroy();
  }
}

/** Passes bytes through, counting them and computing their digest. */
function withDigest(table: Readable) {
  const digest = createHash('sha256');
  let size = 0;
  async function* passThrough() {
    for await (const chunk of table as AsyncIterable<Buffer>) {
      digest.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  const bytes = Readable.from(passThrough(), { objectMode: false });
  return { bytes, facts: () => ({ size_bytes: size, sha256: digest.digest('hex') }) };
}
