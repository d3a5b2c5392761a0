import type { Actor } from '../../../models/identity/Actor.js';
import type { StoredFile } from '../../../models/organizations/files/storedFiles.js';
import { requestShowing } from '../../../models/organizations/status-change-requests/requestShowing.js';
import { may } from '../../http/policy.js';
import { type ReadHere, storedFilePolicy } from './policy.js';

/** A document is its person's, and theirs who decide on the request that it goes with. */
export async function mayDownload(actor: Actor, { id, purpose, uploaded_by }: StoredFile): Promise<boolean> {
  if (uploaded_by === null || purpose === 'drawn_document') return false;
  if (may(actor, storedFilePolicy, `read_${purpose as ReadHere}`, { user_id: uploaded_by })) return true;
  const request = purpose === 'request_document' ? await requestShowing(id) : null;
  return request !== null && may(actor, storedFilePolicy, 'review_request_document', request);
}
