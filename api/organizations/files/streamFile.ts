import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withStore } from '../../../gateways/storage/withStore.js';
import { type LocatedFile, objectKey } from '../../../models/organizations/files/storedFiles.js';
import { refuseIfUnavailable } from './storeUpload.js';

/**
 * Streams a file from its store. The store stays open until the last byte has passed or the reader stops.
 * @throws Refusal storage_unavailable if the store does not have the file, or does not answer
 */
export async function streamFile(organizationId: string, { id, location }: LocatedFile): Promise<Readable> {
  const passed = new PassThrough();
  // The reader of the stream has a listener of its own. Until there is one, this keeps an error from ending the process.
  passed.on('error', () => undefined);
  const opened = new Promise<void>((resolve, reject) => {
    const copied = withStore(location.store, async (store) => {
      const bytes = await store.get(objectKey(organizationId, id, location));
      resolve();
      await pipeline(bytes, passed);
    });
    // After the beginning, `pipeline` passes an error on to the reader of the stream.
    copied.catch(reject);
  });
  await refuseIfUnavailable(opened, id);
  return passed;
}
