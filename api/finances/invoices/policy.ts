import type { InvoiceRow } from '../../../models/finances/invoices/invoice.js';
import {
  chapterManagers,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  self,
  selfUnlessOfficer,
} from '../../http/policy.js';

/** The chapter and the payer of an invoice, as the policy asks for them. */
export const subjectOf = ({ chapter, membership }: Pick<InvoiceRow, 'chapter' | 'membership'>) => ({
  chapter_id: chapter,
  membership_id: membership,
});

/**
 * Members see their own invoices, officers those of their chapter, regional admins those of their region. Users who may
 * read every invoice of a chapter, or of the organization, may list them.
 */
export const invoicePolicy = policy('invoice', {
  read: [...chapterManagers, self],
  /** Reasons of discounts: hidden from officers, also on their own invoices. */
  see_discount_notes: [nationalAdmin, regionalAdminOfChapter, selfUnlessOfficer],
  void: [nationalAdmin],
  regenerate: [nationalAdmin],
  /** Fees, payments from credit, and manual payments. Officers are checked further by `authorizeAdjustment`. */
  adjust: [nationalAdmin, officerOfChapter],
  discount: [nationalAdmin],
  /** Reminding discloses no amount to the person who requests it. */
  remind: chapterManagers,
  /** Officers refund up to the cap; above it they file a request. */
  refund: [nationalAdmin, officerOfChapter],
});
