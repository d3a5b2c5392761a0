import { nationalAdmin, officerOfChapter, policy, regionalAdminOfChapter } from '../../http/policy.js';

/** Exports of a chapter are for people who read its invoices; exports of the organization are for its admins. */
export const invoiceExportPolicy = policy('invoice export', {
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter],
  write: [nationalAdmin, regionalAdminOfChapter, officerOfChapter],
});
