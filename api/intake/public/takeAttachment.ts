import { inTenant } from '../../../models/database/tenancy.js';
import { attach, type AttachedTo } from '../../../models/intake/pnm-applications/attachments.js';
import { organizationOfForm } from '../../../models/intake/pnm-applications/publicForm.js';
import type { AttachmentKind } from '../../../models/intake/pnm-config/vocabulary.js';
import { beginFile } from '../../../models/organizations/files/storedFiles.js';
import { ownTransaction } from '../../http/dispatch.js';
import { originOf } from '../../http/origin.js';
import type { RequestFacts } from '../../http/routes.js';
import { requireStore, takeFileFor } from '../../organizations/files/takeFile.js';

/**
 * Takes a file of somebody without an account in, for what their token opens.
 * @param whose finds and locks that; asked before the first byte is read, and again when all are there
 * @throws Refusal not_found, storage_unavailable, body_too_large, validation_error; what `whose` throws
 */
export async function takeAttachment(
  request: RequestFacts,
  { slug, token }: { slug: string; token: string },
  kind: AttachmentKind,
  whose: (token: string) => Promise<AttachedTo>,
) {
  const { id } = await organizationOfForm(slug);
  const purpose = kind === 'headshot' ? 'pnm_headshot' : 'pnm_attachment';
  const begin = async () => {
    await whose(token);
    await requireStore();
    return { ...(await beginFile(purpose, null)), purpose } as const;
  };
  const upload = await inTenant(id, begin, ownTransaction(request));
  return takeFileFor(request, id, upload, originOf(request), async (file) => {
    await attach(await whose(token), kind, file.id);
    const { name, media_type, size_bytes } = file;
    return { kind, name, media_type, size_bytes };
  });
}
