/**
 * Financial bulk operations: an export of an organization's invoices, reminders to all payers, and a queue with very
 * many plan requests.
 */
import type { Client } from 'pg';
import { PlanQueueFilters } from '../../api/finances/plan-requests/schema.js';
import { planRequestsStatement } from '../../models/finances/payment-plans/listPlanRequests.js';
import { invoiceReminders, type InvoiceRemindersInput } from '../../workflows/contracts/invoiceReminders.js';
import { type Check, check } from './audience.js';
import { type Bare, rateOf } from './bareStatement.js';
import { measureWork } from './memory.js';
import { enqueue } from './outbox.js';
import { until } from './until.js';
import { ask, signIn, type World } from './world.js';

export const COLLECTING = 'bulk invoicing';

interface Setup {
  owner: Client;
  api: string;
  world: World;
  /** Starts a worker of the queue. @returns its process id */
  startWorker: (queue: string) => Promise<number>;
  stopWorker: () => Promise<void>;
  /** Minimum number of invoices of the organization. */
  rows: number;
  bare: Bare;
}

const POLLING = { pollMs: 500, patienceMs: 600_000, otherwise: 'The measured operation did not end in time.' };

export async function measureCollecting({ owner, startWorker, stopWorker, ...scene }: Setup): Promise<Check[]> {
  await issueMore(owner, scene);
  const exported = await measureWork(await startWorker('bulk'), () => exportAll(scene));
  await stopWorker();
  const organizations = await enqueueReminders(owner);
  const reminded = await measureWork(await startWorker('notify'), () => untilClaimed(owner));
  await stopWorker();
  const { waiting, milliseconds } = await queue(owner, scene);
  return [
    check(`workbook of ${exported.answer} invoices`, exported.seconds, 60, 's'),
    check('memory of the worker meanwhile', exported.megabytes, 350, 'MB'),
    check(
      `reminders of ${reminded.answer} payers, claimed by one workflow for each of ${organizations} organizations`,
      reminded.seconds,
      60,
      's',
    ),
    check('memory of the worker that claims and mails meanwhile', reminded.megabytes, 350, 'MB'),
    check(`first page of ${waiting} plan requests: time of the statement`, milliseconds, 15, 'ms'),
  ];
}

/**
 * Issues one invoice to every member, due in a week in the member's time zone. Then issues more invoices to the members
 * of the world's organization until it has at least `rows` invoices. All have an issue date 30 days ago.
 */
async function issueMore(owner: Client, { world, rows }: Pick<Setup, 'world' | 'rows'>): Promise<void> {
  const issue = (days: number, from: string, values: unknown[]) =>
    owner.query(
      `WITH issued AS (
         INSERT INTO chapter_invoices (organization_id, chapter_id, payer_type, membership_id, description, issue_date, due_date, created_at)
         SELECT m.organization_id, m.chapter_id, 'member', m.id, 'Activity fee', local.today - 30, local.today + ${days},
                now() - interval '30 days'
           FROM ${from} JOIN (SELECT id, app.local_day(timezone) AS today FROM organizations) local ON local.id = m.organization_id
         RETURNING id, organization_id, membership_id, description)
       INSERT INTO invoice_line_items (organization_id, invoice_id, membership_id, description, unit_amount_cents, amount_cents)
       SELECT organization_id, id, membership_id, description, 5000, 5000 FROM issued`,
      values,
    );
  await issue(7, 'memberships m', []);
  await issue(
    90,
    `(SELECT * FROM memberships WHERE organization_id = $1) m
      CROSS JOIN generate_series(1, 1 + ($2 - (SELECT count(*)::int FROM chapter_invoices WHERE organization_id = $1))
                                     / (SELECT count(*)::int FROM memberships WHERE organization_id = $1))`,
    [world.organizationId, rows],
  );
  for (const table of ['chapter_invoices', 'invoice_line_items']) await owner.query(`ANALYZE ${table}`);
}

/** Measures from the request until the file can be downloaded. @returns the number of exported invoices */
async function exportAll({ api, world }: Pick<Setup, 'api' | 'world'>): Promise<number> {
  const headers = { ...(await signIn(api, world.admin)), 'Content-Type': 'application/json' };
  const path = `/api/organizations/${world.organizationId}/invoice-exports/`;
  type Job = { id: string; status: string; rows_done: number };
  const { id } = (await ask(api, { method: 'POST', path, headers, body: '{}' })) as Job;
  return until(async () => {
    const job = (await ask(api, { method: 'GET', path: `${path}${id}/`, headers })) as Job;
    if (job.status !== 'ready' && job.status !== 'queued' && job.status !== 'running')
      throw new Error(`The export is ${job.status}.`);
    return job.status === 'ready' ? job.rows_done : null;
  }, POLLING);
}

/**
 * Enqueues the reminders of all organizations at once, as the daily schedule does.
 * @returns the number of organizations
 */
async function enqueueReminders(owner: Client): Promise<number> {
  const { rows: inputs } = await owner.query<InvoiceRemindersInput>(
    `SELECT id AS "organizationId", app.local_day(timezone)::text AS day FROM organizations WHERE is_active`,
  );
  await enqueue(owner, invoiceReminders, inputs);
  return inputs.length;
}

/**
 * Waits until every member has a reminder.
 * @returns the number of payers who have a reminder
 */
const untilClaimed = (owner: Client): Promise<number> =>
  until(async () => {
    const { rows } = await owner.query<{ members: number; payers: number; reminded: number }>(
      `SELECT (SELECT count(*)::int FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.is_active) AS members,
              count(*)::int AS payers, count(membership_id)::int AS reminded FROM payment_reminders`,
    );
    const [{ members, reminded, payers }] = rows as [(typeof rows)[number]];
    return reminded >= members ? payers : null;
  }, POLLING);

/** Number of plan requests of the organization. */
const PLAN_REQUESTS = 20_000;

/**
 * Measures the first page of the queue with the prepared statement of the product. It runs last, because payers with a
 * plan request get no reminder.
 */
async function queue(owner: Client, { world: { organizationId }, bare }: Pick<Setup, 'world' | 'bare'>) {
  const { rowCount: waiting } = await owner.query(
    `INSERT INTO payment_plan_requests (organization_id, invoice_id, chapter_id, membership_id, requested_by, justification, schedule,
                                        invoice_balance_cents, is_in_policy, policy_reasons, policy, freeze_anchor)
     SELECT i.organization_id, i.id, i.chapter_id, i.membership_id, m.user_id, 'I earn again from next month on.',
            json_build_array(json_build_object('due_date', i.due_date + 30, 'amount_cents', i.balance_due_cents)), i.balance_due_cents,
            n % 2 = 0, '[]', '{}', CASE WHEN n % 2 = 0 THEN i.due_date END
       FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM chapter_invoices
              WHERE organization_id = $1 AND status = 'open' AND payer_type = 'member' AND balance_due_cents > 0 LIMIT $2) i
       JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id`,
    [organizationId, PLAN_REQUESTS],
  );
  await owner.query('VACUUM (ANALYZE) payment_plan_requests');
  const { page, page_size: pageSize, ordering: orderBy } = PlanQueueFilters.parse({});
  const statement = planRequestsStatement({ page, pageSize, orderBy });
  const perSecond = await rateOf(statement, { ...bare, connections: 1, seconds: Math.max(1, bare.seconds) });
  return { waiting, milliseconds: 1000 / perSecond };
}
