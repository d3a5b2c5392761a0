import { firstRow } from '../../database/rows.js';
import {
  type OrganizationDay,
  type OrganizationPage,
  organizationsByDay,
} from '../../organizations/organizationsByDay.js';
import { WANTS_EVIDENCE } from '../disputes/remindOfEvidence.js';
import { isOverdueSql } from './localDay.js';

/** One page of active organizations, reduced to those that have something to mark, or disputes to be reminded of, by their own date. */
export const organizationsToMark = (after: string | null): Promise<OrganizationPage> =>
  organizationsByDay(after, hasSomething);

const hasSomething = async ({ organizationId, day }: OrganizationDay): Promise<boolean> =>
  (await firstRow(
    `SELECT 1 FROM chapter_invoices i WHERE i.organization_id = $1 AND ${isOverdueSql(2)}
      UNION ALL
     SELECT 1 FROM payment_disputes d WHERE d.organization_id = $1 AND ${WANTS_EVIDENCE}
      LIMIT 1`,
    [organizationId, day],
  )) !== null;
