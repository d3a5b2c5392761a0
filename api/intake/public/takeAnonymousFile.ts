import { inTenant } from '../../../models/database/tenancy.js';
import { attach, type AttachmentOwner } from '../../../models/intake/pnm-applications/attachments.js';
import { organizationOfForm } from '../../../models/intake/pnm-applications/publicForm.js';
import type { AttachmentKind } from '../../../models/intake/pnm-config/vocabulary.js';
import type { UploadablePurpose } from '../../../models/organizations/files/purposes.js';
import { beginFile, type StoredFile } from '../../../models/organizations/files/storedFiles.js';
import { ownTransaction } from '../../http/dispatch.js';
import { originOf } from '../../http/origin.js';
import type { RequestFacts } from '../../http/routes.js';
import { requireStore, storeUploadAnd } from '../../organizations/files/storeUpload.js';

/**
 * Accepts a file from a person without an account.
 * @param checkToken checks the token before the first byte is read
 * @param store stores the file; runs in its transaction, where the token is checked again
 * @throws Refusal not_found, storage_unavailable, body_too_large, validation_error; the errors of `checkToken` and `store`
 */
export async function takeAnonymousFile<T>(
  request: RequestFacts,
  slug: string,
  purpose: UploadablePurpose,
  checkToken: () => Promise<unknown>,
  store: (file: StoredFile) => Promise<T>,
): Promise<T> {
  const { id } = await organizationOfForm(slug);
  const begin = async () => {
    await checkToken();
    await requireStore();
    return { ...(await beginFile(purpose, null)), purpose };
  };
  const upload = await inTenant(id, begin, ownTransaction(request));
  return storeUploadAnd(request, id, upload, originOf(request), store);
}

/** Accepts a file from an applicant. @param lockOwner finds and locks the draft or application of the token */
export const takeAttachment = (
  request: RequestFacts,
  { slug, token }: { slug: string; token: string },
  kind: AttachmentKind,
  lockOwner: (token: string) => Promise<AttachmentOwner>,
) =>
  takeAnonymousFile(
    request,
    slug,
    kind === 'headshot' ? 'pnm_headshot' : 'pnm_attachment',
    () => lockOwner(token),
    async (file) => {
      await attach(await lockOwner(token), kind, file.id);
      const { name, media_type, size_bytes, is_being_checked } = file;
      return { kind, name, media_type, size_bytes, is_being_checked };
    },
  );
