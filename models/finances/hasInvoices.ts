import { currentOrganization, firstRow } from '../database/rows.js';

/** Whether a membership was ever billed, be it void by now. */
export const hasInvoices = async (membershipId: string): Promise<boolean> =>
  (await firstRow('SELECT FROM chapter_invoices WHERE organization_id = $1 AND membership_id = $2 LIMIT 1', [
    currentOrganization(),
    membershipId,
  ])) !== null;
