import { firstRow } from '../../database/rows.js';
import {
  type OrganizationDay,
  type OrganizationBatch,
  organizationsByDay,
} from '../../organizations/organizationsByDay.js';
import { IS_EVIDENCE_DUE_SOON } from '../disputes/remindOfEvidence.js';
import { isOverdueSql } from './localDay.js';

/**
 * Returns a page of active organizations that have, by their local date, invoices to mark overdue or disputes to remind
 * of.
 */
export const organizationsToMark = (after: string | null): Promise<OrganizationBatch> =>
  organizationsByDay(after, hasWork);

const hasWork = async ({ organizationId, day }: OrganizationDay): Promise<boolean> =>
  (await firstRow(
    `SELECT 1 FROM chapter_invoices i WHERE i.organization_id = $1 AND ${isOverdueSql(2)}
      UNION ALL
     SELECT 1 FROM payment_disputes d WHERE d.organization_id = $1 AND ${IS_EVIDENCE_DUE_SOON}
      LIMIT 1`,
    [organizationId, day],
  )) !== null;
