import { firstRow } from '../../database/rows.js';
import {
  type OrganizationDay,
  type OrganizationPage,
  organizationsByDay,
} from '../../organizations/organizationsByDay.js';
import { IS_MORNING } from '../overdue/localDay.js';
import { DUE } from './due.js';
import { HAS_LATE_ROWS } from './tellOfLateRows.js';

/** One page of active organizations, reduced to those whose morning it is, and whose payers are to be reminded of something. */
export const organizationsToRemind = (after: string | null): Promise<OrganizationPage> =>
  organizationsByDay(after, hasSomething);

const hasSomething = async ({ organizationId, day }: OrganizationDay): Promise<boolean> =>
  (await firstRow(
    `WITH ${DUE}
     SELECT FROM organizations o WHERE o.id = $1 AND ${IS_MORNING} AND (EXISTS (SELECT FROM due) OR ${HAS_LATE_ROWS})`,
    [organizationId, day],
  )) !== null;
