import { z } from 'zod';
import { inOrder, moment, text } from '../../models/fields.js';
import { EXECUTION_STATUSES } from '../../gateways/temporal/processes/query.js';
import { PROCESS_KINDS } from '../../workflows/contracts/index.js';
import { CANCEL_OUTCOMES } from '../../services/processes/cancel.js';
import { RETRY_OUTCOMES } from '../../services/processes/retry.js';
import { instant } from '../http/instant.js';
import { pageOf, pageQuery } from '../http/pagination.js';

export const OrganizationHeader = z.object({
  'X-Organization-Id': z.uuid().optional().meta({
    description:
      'For platform admins: limits the result to one organization. Other users may only send their own organization.',
  }),
});

const kind = z.enum(PROCESS_KINDS.map((facts) => facts.kind));
const status = z.enum(['waiting', ...EXECUTION_STATUSES]);

export const ProcessParams = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(1400)
    .meta({ description: 'The `workflow_id`, in base64url without padding.' }),
});

/** Filters of the list that a bulk action has, too. */
export const filters = {
  kind: kind.optional(),
  status: status.optional().meta({ description: '`waiting`: recorded, but not started yet.' }),
  chapter: z.uuid().toLowerCase().optional(),
  subject: z.uuid().toLowerCase().optional().meta({ description: 'Id of the row that the process is about.' }),
  started_after: instant('Inclusive.', '2025-09-01T00:00:00.000Z'),
  started_before: instant('Exclusive.', '2025-10-01T00:00:00.000Z'),
};

export const ProcessFilters = z
  .object({
    ...pageQuery,
    ...filters,
    stuck: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional()
      .meta({
        description:
          'A process is stuck when a step is on its 5th attempt or later, when its code fails, when it runs longer than its kind is expected to, or when it does not run although a row is pending for it. A process that has recovered leaves the list within 90 seconds.',
      }),
  })
  .refine(...inOrder('started_after', 'started_before'));

const summary = {
  id: z.string(),
  workflow_id: z.string().meta({ description: 'Workflow id in Temporal. Other responses refer to the process by it.' }),
  kind,
  summary: z.string().meta({ description: 'What processes of this kind do.' }),
  label: z.string().meta({
    example: 'Remittance of Alpha, 25 invoices',
    description: 'What the process is about. It contains no amounts.',
  }),
  status,
  stage: z.string().nullable().meta({ example: 'charging' }),
  subject: z.object({ type: z.string(), id: z.uuid() }).nullable(),
  organization: z
    .uuid()
    .nullable()
    .meta({ description: 'Null for processes that a schedule starts for all organizations.' }),
  chapter: z.uuid().nullable(),
  started_at: moment,
  closed_at: moment.nullable(),
  stuck: z.boolean(),
  stuck_reason: z.enum(['attempts', 'task_failed', 'age', 'no_process']).nullable().meta({
    description:
      '`task_failed`: the code of the process fails, until a release that can continue it is deployed. `no_process`: a row is pending, but no process runs for it. It is started again within minutes.',
  }),
  console_path: z.string().meta({
    example: '/console/processes/cmVmdW5kLzA',
    description: 'Path of its page in the console.',
  }),
  temporal_url: z
    .url()
    .nullable()
    .meta({ description: 'Its page in the Temporal UI. Null unless you are a platform admin.' }),
};

const moneyMoved = z.enum(['yes', 'no', 'unknown']);

const ProcessSummary = z
  .object({
    ...summary,
    money_moved: moneyMoved.nullable().meta({ description: 'Null for a process that is not stuck.' }),
  })
  .meta({ id: 'ProcessSummary' });

export const ProcessPage = pageOf(ProcessSummary).extend({
  count: z.int().meta({
    description: 'Number of rows on all pages. An upper bound: a process with several runs is listed once.',
  }),
  complete: z.boolean().meta({ description: 'Always true: no filter leaves matching processes out.' }),
});

export const ProcessJson = z
  .object({
    ...summary,
    stages: z.array(z.object({ stage: z.string(), at: moment })),
    stages_complete: z
      .boolean()
      .meta({ description: 'False when the history is too long to be read from its beginning.' }),
    waiting_for: z
      .object({
        code: z.enum(['start', 'worker', 'release', 'step', 'next_attempt', 'time', 'process']),
        detail: z.string(),
        until: moment.nullable(),
      })
      .nullable(),
    attempts: z.int().meta({ description: 'Attempts of the pending step; 0 when there is none.' }),
    last_failure: z.object({ code: z.string(), detail: z.string(), at: moment.nullable() }).nullable(),
    next_attempt_at: moment.nullable(),
    money_moved: moneyMoved,
    actions: z.array(z.object({ action: z.enum(['retry', 'cancel']), safe: z.boolean(), reason: z.string() })),
  })
  .meta({ id: 'Process' });

export const ProcessAction = z
  .object({
    reason: text(500).min(3).optional().meta({ description: 'Kept in the audit log. Do not name people in it.' }),
  })
  .meta({ id: 'ProcessAction', example: { reason: 'The provider is available again.' } });

export const RetryResult = z
  .object({
    outcome: z.enum(RETRY_OUTCOMES).meta({
      description: 'What was observed in the following seconds. `unknown`: Temporal became unavailable.',
    }),
    detail: z.string(),
    process: ProcessJson,
  })
  .meta({ id: 'ProcessRetry' });

export const CancelResult = z
  .object({
    outcome: z.enum(CANCEL_OUTCOMES).meta({
      description: '`cancelling`: requested; takes effect when a worker picks up the process.',
    }),
    detail: z.string(),
    process: ProcessJson,
  })
  .meta({ id: 'ProcessCancel' });
