import { z } from 'zod';
import { moment } from '../../models/fields.js';
import { LEDGER_CHECK_STATUSES } from '../../models/finances/ledger-checks/statuses.js';

const CountAndOldestJson = z
  .object({
    count: z.int(),
    oldest_at: moment.nullable().meta({ description: 'Time since which the oldest has waited.' }),
  })
  .meta({ id: 'CountAndOldest' });

const counted = (description: string) => CountAndOldestJson.nullable().meta({ description });

export const ConsoleSummaryJson = z
  .object({
    stuck_processes: counted(
      'Stuck processes, as many as `GET /api/processes/?stuck=true` lists. `oldest_at`: since when one is stuck.',
    ),
    remittance_flags: counted('Flagged remittances.'),
    money_cases: counted('Open money cases.'),
    unmatched_payments: counted('Unmatched payments that are not resolved.'),
    approvals: counted('Requests that you may decide. Your own requests and cases of forums are left out.'),
    ending_freezes: counted('Pending requests for installments whose freeze of reminders ends within 48 hours.'),
    disputes_due: counted('Open disputes whose deadline for evidence has not passed.'),
    last_ledger_check: z
      .object({
        id: z.uuid(),
        status: z.enum(LEDGER_CHECK_STATUSES),
        started_at: moment,
        finished_at: moment.nullable(),
      })
      .nullable()
      .meta({ description: 'The latest ledger check.' }),
    outbox: counted('Due intents to start a process that are not dispatched yet.'),
    organizations_without_admin: counted('Organizations without an active admin.'),
  })
  .meta({ id: 'ConsoleSummary' });
