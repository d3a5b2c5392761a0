import { currentOrganization, firstRow } from '../database/rows.js';

/** Reports whether a membership was ever billed (void invoices count), or a running dues run is going to bill it. */
export const hasInvoices = async (membershipId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM chapter_invoices WHERE organization_id = $1 AND membership_id = $2
     UNION ALL
     SELECT FROM memberships m JOIN dues_runs r ON r.organization_id = $1 AND r.status = 'running'
       JOIN dues_run_items i ON i.organization_id = $1 AND i.dues_run_id = r.id AND i.chapter_id = m.chapter_id AND i.membership_id = m.id
      WHERE m.organization_id = $1 AND m.id = $2 LIMIT 1`,
    [currentOrganization(), membershipId],
  )) !== null;
