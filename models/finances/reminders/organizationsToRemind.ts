import { firstRow } from '../../database/rows.js';
import {
  type OrganizationDay,
  type OrganizationBatch,
  organizationsByDay,
} from '../../organizations/organizationsByDay.js';
import { IS_MORNING } from '../overdue/localDay.js';
import { DUE } from './due.js';
import { HAS_LATE_INSTALLMENTS } from './notifyLateInstallments.js';

/**
 * Returns a batch of active organizations where it is morning and where payers must be reminded or administrators must
 * be told of late installments.
 */
export const organizationsToRemind = (after: string | null): Promise<OrganizationBatch> =>
  organizationsByDay(after, hasWork);

const hasWork = async ({ organizationId, day }: OrganizationDay): Promise<boolean> =>
  (await firstRow(
    `WITH ${DUE}
     SELECT FROM organizations o WHERE o.id = $1 AND ${IS_MORNING} AND (EXISTS (SELECT FROM due) OR ${HAS_LATE_INSTALLMENTS})`,
    [organizationId, day],
  )) !== null;
