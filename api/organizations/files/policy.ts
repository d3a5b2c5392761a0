import { anyone, type Grant, nationalAdmin, officerOfChapter, policy, self } from '../../http/policy.js';
import type { FilePurpose, UploadPurpose } from '../../../models/organizations/files/purposes.js';

/** What applicants give is read where their application is, and what was drawn where it was asked for. */
export type ReadHere = Exclude<FilePurpose, `pnm_${string}` | 'drawn_document'>;
type Actions = `upload_${UploadPurpose}` | `read_${ReadHere}` | 'review_request_document';

const rules: Record<Actions, readonly Grant[]> = {
  upload_import: [nationalAdmin],
  read_import: [nationalAdmin],
  upload_request_document: [anyone],
  read_request_document: [self],
  review_request_document: [nationalAdmin, officerOfChapter],
  read_roster_export: [nationalAdmin],
  /** Others have an address of their own, which asks whether they see its amounts. */
  read_invoice_export: [nationalAdmin],
};

export const storedFilePolicy = policy('stored file', rules);
