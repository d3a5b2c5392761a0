import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

/** Those of a chapter are for whoever reads its invoices; those of the organization for its administrators. */
export const invoiceExportPolicy = policy('invoice export', {
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter],
  write: [nationalAdmin, regionalAdminOfChapter, officerOfChapter],
});
