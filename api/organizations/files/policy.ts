import { anyone, type Grant, nationalAdmin, policy, self } from '../../http/policy.js';
import type { FilePurpose } from '../../../models/organizations/files/purposes.js';

type Actions = `${'upload' | 'read'}_${FilePurpose}`;

const rules: Record<Actions, readonly Grant[]> = {
  upload_import: [nationalAdmin],
  read_import: [nationalAdmin],
  upload_request_document: [anyone],
  read_request_document: [self, nationalAdmin],
};

export const storedFilePolicy = policy('stored file', rules);
