/** Accounts as PDFs: short ones are drawn here, long ones by their process while the request waits. */
import { Readable } from 'node:stream';
import { accountPdf, type AccountDocument } from '../../../gateways/documents/account.js';
import { inStore } from '../../../gateways/storage/inStore.js';
import { whole } from '../../../gateways/storage/whole.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { DocumentRequest } from '../../../models/finances/documents/DrawnDocument.js';
import { DRAWN_AT_ONCE, nameOf } from '../../../models/finances/documents/readDocument.js';
import { fileOfDocument, forgetDocument, requestDocument } from '../../../models/finances/documents/requestDocument.js';
import { financesErrors } from '../../../models/finances/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { log } from '../../../models/log.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { keyOf, type LocatedFile } from '../../../models/organizations/files/storedFiles.js';
import { ownTransaction } from '../../http/dispatch.js';
import { AfterCommit, Answer, type RequestFacts, type Route } from '../../http/routes.js';
import { waitForProcess } from '../../http/waitForProcess.js';
import { orUnavailable, requireStore } from '../../organizations/files/takeFile.js';
import { finances } from '../fields.js';

const COME_BACK_SECONDS = 2;

/** What the addresses of documents have in common. */
export const pdf = {
  ...finances,
  status: 200,
  textResponse: 'application/pdf',
  later: true as const,
  errors: [financesErrors.documents_under_way, fileErrors.storage_unavailable],
} satisfies Partial<Route['spec']>;

/** Said of each. */
export const LONG =
  'Of more than 500 lines it is drawn while you wait, and there is 202 where that takes longer: ask the same address again.';

const answer = (asked: DocumentRequest, bytes: Readable) =>
  new Answer(undefined, {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${nameOf(asked).replace(/[^\w.-]+/g, '-')}.pdf"`,
      'Cache-Control': 'no-store',
    },
    stream: bytes,
  });

/**
 * A document of so many lines, drawn after the commit: no connection waits for it.
 * @param compose it, where it is drawn here
 */
export const answerDocument = (
  { actor, request }: { actor: Actor; request: RequestFacts },
  asked: DocumentRequest,
  lines: number,
  compose: () => AccountDocument,
): AfterCommit<void> =>
  new AfterCommit(async () =>
    lines > DRAWN_AT_ONCE
      ? drawnByProcess(actor, request, asked)
      : answer(asked, Readable.from([await accountPdf(compose())])),
  );

async function drawnByProcess(actor: Actor, request: RequestFacts, asked: DocumentRequest): Promise<Answer<void>> {
  const begin = async () => {
    await requireStore();
    return requestDocument(asked);
  };
  const { documentId, workflowId } = await inTenant(actor.organizationId, begin, ownTransaction(request, actor));
  await waitForProcess(workflowId);
  const file = await inTenant(actor.organizationId, () => fileOfDocument(documentId), { readOnly: true });
  if (file) return answer(asked, Readable.from(handedOut(actor.organizationId, file, await bytesOf(actor, file))));
  const headers = {
    Location: request.raw.originalUrl,
    'Retry-After': String(COME_BACK_SECONDS),
    'Cache-Control': 'no-store',
  };
  return new Answer(undefined, { status: 202, headers });
}

/** A few megabytes at most. @throws Refusal storage_unavailable */
const bytesOf = ({ organizationId }: Actor, { place, ...file }: LocatedFile): Promise<Buffer> => {
  const read = inStore(place.store, async (store) => {
    const stored = await store.get(keyOf(organizationId, file.id, place));
    return Buffer.concat(await whole(stored, file).toArray());
  });
  return orUnavailable(read, file.id);
};

/** The bytes, and the file's end once somebody has taken them. */
async function* handedOut(organizationId: string, file: LocatedFile, bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
  await inTenant(organizationId, () => forgetDocument(file)).catch((err: unknown) => {
    log.warn({ err, fileId: file.id }, 'a document that was handed out is left to the sweep');
  });
}
