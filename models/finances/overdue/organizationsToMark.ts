import { firstRow } from '../../database/rows.js';
import {
  type OrganizationDay,
  type OrganizationPage,
  organizationsByDay,
} from '../../organizations/organizationsByDay.js';
import { WANTS_EVIDENCE } from '../disputes/remindOfEvidence.js';
import { DUE_SOON_DAYS, IS_DUE_SOON, IS_MORNING, isOverdueSql } from './localDay.js';

/** One page of active organizations, reduced to those that have something to mark, or to be reminded of, by their own date. */
export const organizationsToMark = (after: string | null): Promise<OrganizationPage> =>
  organizationsByDay(after, hasSomething);

const hasSomething = async ({ organizationId, day }: OrganizationDay): Promise<boolean> =>
  (await firstRow(
    `SELECT 1 FROM chapter_invoices i WHERE i.organization_id = $1 AND ${isOverdueSql(2)}
      UNION ALL
     SELECT 1 FROM organizations o CROSS JOIN LATERAL (SELECT $2::date AS today, ${DUE_SOON_DAYS} AS days) l
       JOIN chapter_invoices i ON i.organization_id = o.id WHERE o.id = $1 AND ${IS_MORNING} AND ${IS_DUE_SOON}
      UNION ALL
     SELECT 1 FROM payment_disputes d WHERE d.organization_id = $1 AND ${WANTS_EVIDENCE}
      LIMIT 1`,
    [organizationId, day],
  )) !== null;
