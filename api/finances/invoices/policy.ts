import {
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  self,
  selfAsNoOfficer,
} from '../../http/policy.js';

/**
 * Members see their own; officers their chapter's; regional admins those of their region. Who may read any invoice of a
 * chapter, or of the organization, may list them.
 */
export const invoicePolicy = policy('invoice', {
  read: [nationalAdmin, regionalAdminOfChapter, officerOfChapter, self],
  /** Why a discount was given: never for officers, nor on their own invoices. */
  see_discount_notes: [nationalAdmin, regionalAdminOfChapter, selfAsNoOfficer],
  void: [nationalAdmin],
  regenerate: [nationalAdmin],
  /** Fees, credit that pays, and payments by hand; of officers it is asked more below. */
  adjust: [nationalAdmin, officerOfChapter],
  discount: [nationalAdmin],
  /** It tells no amount that its asker might not see. */
  remind: [nationalAdmin, regionalAdminOfChapter, officerOfChapter],
  /** Officers within the cap; above it they ask. */
  refund: [nationalAdmin, officerOfChapter],
});
