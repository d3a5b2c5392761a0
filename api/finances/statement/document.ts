/**
 * Account statements as PDFs. Short ones are rendered in this request; long ones are rendered by a workflow, while the
 * request waits for it.
 */
import { Readable } from 'node:stream';
import { accountPdf, type AccountDocument } from '../../../gateways/documents/account.js';
import { withStore } from '../../../gateways/storage/withStore.js';
import { verifyChecksum } from '../../../gateways/storage/verifyChecksum.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { DocumentRequest } from '../../../models/finances/documents/DrawnDocument.js';
import { MAX_INLINE_LINES, fileNameOf } from '../../../models/finances/documents/readDocument.js';
import {
  findDocumentFile,
  releaseDocument,
  requestDocument,
} from '../../../models/finances/documents/requestDocument.js';
import { financesErrors } from '../../../models/finances/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { log } from '../../../models/log.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { objectKey, type LocatedFile } from '../../../models/organizations/files/storedFiles.js';
import { ownTransaction } from '../../http/dispatch.js';
import { AfterCommit, Answer, type RequestFacts, type Route } from '../../http/routes.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { refuseIfUnavailable, requireStore } from '../../organizations/files/storeUpload.js';
import { finances } from '../fields.js';

const RETRY_AFTER_SECONDS = 2;

/** Options that the routes of documents share. */
export const pdf = {
  ...finances,
  status: 200,
  textResponse: 'application/pdf',
  later: true as const,
  errors: [financesErrors.documents_under_way, fileErrors.storage_unavailable],
} satisfies Partial<Route['spec']>;

/** Text for the description of each route that returns a document. */
export const LONG_DOCUMENT_NOTE =
  'A document of more than 500 lines is rendered while you wait. If that takes longer, the answer is 202: request the same address again.';

const answer = (document: DocumentRequest, bytes: Readable) =>
  new Answer(undefined, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${fileNameOf(document).replace(/[^\w.-]+/g, '-')}.pdf"`,
      'Cache-Control': 'no-store',
    },
    stream: bytes,
  });

/**
 * Renders a document after the commit, so that it holds no database connection.
 * @param lines number of lines of the document
 * @param compose returns the document; called only if the document is short enough to be rendered in this request
 */
export const answerDocument = (
  { actor, request }: { actor: Actor; request: RequestFacts },
  document: DocumentRequest,
  lines: number,
  compose: () => AccountDocument,
): AfterCommit<void> =>
  new AfterCommit(async () =>
    lines > MAX_INLINE_LINES
      ? renderByProcess(actor, request, document)
      : answer(document, Readable.from([await accountPdf(compose())])),
  );

async function renderByProcess(actor: Actor, request: RequestFacts, document: DocumentRequest): Promise<Answer<void>> {
  const begin = async () => {
    await requireStore();
    return requestDocument(document);
  };
  const { documentId, workflowId } = await inTenant(actor.organizationId, begin, ownTransaction(request, actor));
  await waitForProcess(workflowId);
  const file = await inTenant(actor.organizationId, () => findDocumentFile(documentId), { readOnly: true });
  if (file)
    return answer(document, Readable.from(yieldThenDelete(actor.organizationId, file, await readBytes(actor, file))));
  const headers = {
    Location: request.raw.originalUrl,
    'Retry-After': String(RETRY_AFTER_SECONDS),
    'Cache-Control': 'no-store',
  };
  return new Answer(undefined, { status: 202, headers });
}

/** Reads the file, which has a few megabytes at most. @throws Refusal storage_unavailable */
const readBytes = ({ organizationId }: Actor, { location, ...file }: LocatedFile): Promise<Buffer> => {
  const read = withStore(location.store, async (store) => {
    const stored = await store.get(objectKey(organizationId, file.id, location));
    return Buffer.concat(await verifyChecksum(stored, file).toArray());
  });
  return refuseIfUnavailable(read, file.id);
};

/** Yields the bytes, and deletes the file once they were read. */
async function* yieldThenDelete(organizationId: string, file: LocatedFile, bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
  await inTenant(organizationId, () => releaseDocument(file)).catch((err: unknown) => {
    log.warn({ err, fileId: file.id }, 'could not delete a delivered document; the cleanup will delete it');
  });
}
