/** Adds the URLs of attachments to the answer to a GET of one post or comment. */
import { type AttachmentJson, locateAttachments } from '../../../models/forums/attachments/readAttachments.js';
import { Refusal } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import type { LocatedFile } from '../../../models/organizations/files/storedFiles.js';
import { AfterCommit } from '../../http/routes.js';
import { downloadAddress, URL_LIFETIME_SECONDS } from '../../organizations/files/downloadAddress.js';

interface WithAttachments {
  attachments: AttachmentJson[];
}

/**
 * Signs the URLs of a text's attachments after the transaction of its read has committed.
 * @param found the text
 * @param answer the answer with it, or the work after the commit that returns it
 */
export async function signAttachments<T extends WithAttachments>(
  { organizationId }: Actor,
  found: T,
  answer: T | AfterCommit<T>,
): Promise<T | AfterCommit<T>> {
  const files = await locateAttachments(found.attachments);
  if (files.size === 0) return answer;
  return new AfterCommit(async (dispatched) => {
    if (answer instanceof AfterCommit) await answer.work(dispatched);
    const attachments = found.attachments.map(async (attachment) => {
      const file = files.get(attachment.id);
      return file ? { ...attachment, ...(await signUrl(organizationId, attachment, file)) } : attachment;
    });
    return { ...found, attachments: await Promise.all(attachments) };
  });
}

/** Signs a URL; without a store the text is shown without it. */
async function signUrl(organizationId: string, { kind }: AttachmentJson, { location, ...file }: LocatedFile) {
  const expires = new Date(Date.now() + URL_LIFETIME_SECONDS * 1000).toISOString();
  const isImage = kind === 'image';
  // Every picture was re-encoded as JPEG.
  const name = isImage ? file.name.replace(/\.\w+$/, '.jpg') : file.name;
  try {
    return {
      url: await downloadAddress(organizationId, { ...file, name }, location, isImage),
      url_expires_at: expires,
    };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'storage_unavailable') return {};
    throw error;
  }
}
