/** Writes tables as stored objects, one batch of rows at a time, without a transaction open in between. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { inStore } from '../gateways/storage/inStore.js';
import type { Batch } from '../gateways/tables/columns.js';
import { inTenant } from '../models/database/tenancy.js';
import { type BegunFile, type FileFacts, giveUpUpload, keyOf } from '../models/organizations/files/storedFiles.js';

/** The export was ended while it was being written. */
class Ended extends Error {}

/**
 * Yields the rows of all batches, each read in its own transaction. @param take reads the batch after a cursor; null:
 * the export was ended
 */
export async function* rowsOfPages<Cursor>(
  take: (after: Cursor | null, written: number) => Promise<{ rows: Batch; last: Cursor | null } | null>,
): AsyncGenerator<Batch> {
  let written = 0;
  let after: Cursor | null = null;
  do {
    const page: { rows: Batch; last: Cursor | null } | null = await take(after, written);
    if (!page) throw new Ended();
    written += page.rows.length;
    after = page.last;
    yield page.rows;
  } while (after);
}

/** Uploads a table, and discards the file if that fails. */
export async function storeTable<Kept>(
  organizationId: string,
  file: BegunFile,
  table: Readable,
  keep: (facts: Pick<FileFacts, 'size_bytes' | 'sha256'>) => Promise<Kept>,
): Promise<Kept | null> {
  const { bytes, facts } = digested(table);
  try {
    await inStore(file.place.store, (store) => store.put(keyOf(organizationId, file.id, file.place), bytes));
    return await inTenant(organizationId, () => keep(facts()));
  } catch (error) {
    await inTenant(organizationId, () => giveUpUpload(file.id));
    if (error instanceof Ended) return null;
    throw error;
  } finally {
    // A store that failed leaves the rest of the stream unread.
    bytes.destroy();
    table.destroy();
  }
}

/** Passes bytes through, counting them and computing their digest. */
function digested(table: Readable) {
  const digest = createHash('sha256');
  let size = 0;
  async function* passing() {
    for await (const chunk of table as AsyncIterable<Buffer>) {
      digest.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  const bytes = Readable.from(passing(), { objectMode: false });
  return { bytes, facts: () => ({ size_bytes: size, sha256: digest.digest('hex') }) };
}
