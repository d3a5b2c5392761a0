import { inTenant } from '../../../models/database/tenancy.js';
import { attach, type AttachedTo } from '../../../models/intake/pnm-applications/attachments.js';
import { organizationOfForm } from '../../../models/intake/pnm-applications/publicForm.js';
import type { AttachmentKind } from '../../../models/intake/pnm-config/vocabulary.js';
import type { TakenPurpose } from '../../../models/organizations/files/purposes.js';
import { beginFile, type StoredFile } from '../../../models/organizations/files/storedFiles.js';
import { ownTransaction } from '../../http/dispatch.js';
import { originOf } from '../../http/origin.js';
import type { RequestFacts } from '../../http/routes.js';
import { requireStore, takeFileFor } from '../../organizations/files/takeFile.js';

/**
 * Takes a file of somebody without an account in.
 * @param may whether their token opens something, asked before the first byte is read
 * @param keep what begins in the transaction that keeps it, where the token is asked once more
 * @throws Refusal not_found, storage_unavailable, body_too_large, validation_error; what `may` and `keep` throw
 */
export async function takeFromStranger<T>(
  request: RequestFacts,
  slug: string,
  purpose: TakenPurpose,
  may: () => Promise<unknown>,
  keep: (file: StoredFile) => Promise<T>,
): Promise<T> {
  const { id } = await organizationOfForm(slug);
  const begin = async () => {
    await may();
    await requireStore();
    return { ...(await beginFile(purpose, null)), purpose };
  };
  const upload = await inTenant(id, begin, ownTransaction(request));
  return takeFileFor(request, id, upload, originOf(request), keep);
}

/** An applicant's. @param whose finds and locks what their token opens */
export const takeAttachment = (
  request: RequestFacts,
  { slug, token }: { slug: string; token: string },
  kind: AttachmentKind,
  whose: (token: string) => Promise<AttachedTo>,
) =>
  takeFromStranger(
    request,
    slug,
    kind === 'headshot' ? 'pnm_headshot' : 'pnm_attachment',
    () => whose(token),
    async (file) => {
      await attach(await whose(token), kind, file.id);
      const { name, media_type, size_bytes, is_being_checked } = file;
      return { kind, name, media_type, size_bytes, is_being_checked };
    },
  );
