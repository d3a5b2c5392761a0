import { anyone, type Grant, nationalAdmin, officerOfChapter, policy, self } from '../../http/policy.js';
import type { FilePurpose, UploadPurpose } from '../../../models/organizations/files/purposes.js';

/**
 * Purposes of files that are read through `/api/files`. Files of applicants are read with their application, and
 * rendered documents where they were requested.
 */
export type GenericFilePurpose = Exclude<FilePurpose, `pnm_${string}` | 'drawn_document'>;
type Actions = `upload_${UploadPurpose}` | `read_${GenericFilePurpose}` | 'review_request_document';

const rules: Record<Actions, readonly Grant[]> = {
  upload_import: [nationalAdmin],
  read_import: [nationalAdmin],
  upload_request_document: [anyone],
  read_request_document: [self],
  review_request_document: [nationalAdmin, officerOfChapter],
  read_roster_export: [nationalAdmin],
  /** Other readers use the export's own route, which checks whether they may see its amounts. */
  read_invoice_export: [nationalAdmin],
};

export const storedFilePolicy = policy('stored file', rules);
