import type { Actor } from '../../../models/identity/Actor.js';
import type { StoredFile } from '../../../models/organizations/files/storedFiles.js';
import { findRequestOfDocument } from '../../../models/organizations/status-change-requests/findRequestOfDocument.js';
import { may } from '../../http/policy.js';
import { type GenericFilePurpose, storedFilePolicy } from './policy.js';

/**
 * Reports whether the actor may download a file. A request document is readable by its uploader, and by those who
 * decide on its request.
 */
export async function mayDownload(actor: Actor, { id, purpose, uploaded_by }: StoredFile): Promise<boolean> {
  if (uploaded_by === null || purpose === 'drawn_document') return false;
  if (may(actor, storedFilePolicy, `read_${purpose as GenericFilePurpose}`, { user_id: uploaded_by })) return true;
  const request = purpose === 'request_document' ? await findRequestOfDocument(id) : null;
  return request !== null && may(actor, storedFilePolicy, 'review_request_document', request);
}
