/**
 * What finances do with very many rows: a workbook of an organization's invoices, a morning on which everybody is reminded, and a queue of
 * very many who ask for instalments.
 */
import type { Client } from 'pg';
import { PlanQueueFilters } from '../../api/finances/plan-requests/schema.js';
import { planRequestsStatement } from '../../models/finances/payment-plans/listPlanRequests.js';
import { invoiceReminders, type InvoiceRemindersInput } from '../../workflows/contracts/invoiceReminders.js';
import { type Check, check } from './audience.js';
import { type Bare, rateOf } from './bareStatement.js';
import { watched } from './memory.js';
import { enqueue } from './outbox.js';
import { until } from './until.js';
import { ask, signIn, type World } from './world.js';

export const COLLECTING = 'invoices of many';

interface Scene {
  owner: Client;
  api: string;
  world: World;
  /** Starts a worker of the queue. @returns its process */
  startWorker: (queue: string) => Promise<number>;
  stopWorker: () => Promise<void>;
  /** How many invoices the organization has at least. */
  rows: number;
  bare: Bare;
}

const PATIENCE = { pollMs: 500, patienceMs: 600_000, otherwise: 'What is measured does not come to its end.' };

export async function measureCollecting({ owner, startWorker, stopWorker, ...scene }: Scene): Promise<Check[]> {
  await issueMore(owner, scene);
  const exported = await watched(await startWorker('bulk'), () => exportAll(scene));
  await stopWorker();
  const organizations = await enqueueReminders(owner);
  const reminded = await watched(await startWorker('notify'), () => untilClaimed(owner));
  await stopWorker();
  const { waiting, milliseconds } = await queue(owner, scene);
  return [
    check(`workbook of ${exported.answer} invoices`, exported.seconds, 60, 's'),
    check('the worker meanwhile', exported.megabytes, 350, 'MB'),
    check(
      `reminders of ${reminded.answer} payers, claimed by a process for each of ${organizations} organizations`,
      reminded.seconds,
      60,
      's',
    ),
    check('the worker that claims and mails meanwhile', reminded.megabytes, 350, 'MB'),
    check(`first page of ${waiting} who ask for instalments: time of the statement`, milliseconds, 15, 'ms'),
  ];
}

/** Of every member one that is due in a week where they are, and more of the world's until there are enough. All were issued a month ago. */
async function issueMore(owner: Client, { world, rows }: Pick<Scene, 'world' | 'rows'>): Promise<void> {
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

/** From the request until it can be downloaded. @returns how many invoices are in it */
async function exportAll({ api, world }: Pick<Scene, 'api' | 'world'>): Promise<number> {
  const headers = { ...(await signIn(api, world.admin)), 'Content-Type': 'application/json' };
  const path = `/api/organizations/${world.organizationId}/invoice-exports/`;
  type Job = { id: string; status: string; rows_done: number };
  const { id } = (await ask(api, { method: 'POST', path, headers, body: '{}' })) as Job;
  return until(async () => {
    const job = (await ask(api, { method: 'GET', path: `${path}${id}/`, headers })) as Job;
    if (job.status !== 'ready' && job.status !== 'queued' && job.status !== 'running')
      throw new Error(`The export is ${job.status}.`);
    return job.status === 'ready' ? job.rows_done : null;
  }, PATIENCE);
}

/** As the Schedule would, of every organization at once. @returns of how many */
async function enqueueReminders(owner: Client): Promise<number> {
  const { rows: inputs } = await owner.query<InvoiceRemindersInput>(
    `SELECT id AS "organizationId", app.local_day(timezone)::text AS day FROM organizations WHERE is_active`,
  );
  await enqueue(owner, invoiceReminders, inputs);
  return inputs.length;
}

/** Until every member has a reminder. @returns how many payers have */
const untilClaimed = (owner: Client): Promise<number> =>
  until(async () => {
    const { rows } = await owner.query<{ members: number; payers: number; reminded: number }>(
      `SELECT (SELECT count(*)::int FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.is_active) AS members,
              count(*)::int AS payers, count(membership_id)::int AS reminded FROM payment_reminders`,
    );
    const [{ members, reminded, payers }] = rows as [(typeof rows)[number]];
    return reminded >= members ? payers : null;
  }, PATIENCE);

/** Of an organization. */
const MOST_WAITING = 20_000;

/** On a plan that is kept, as the product asks it. Last, since whoever asks for instalments is not reminded. */
async function queue(owner: Client, { world: { organizationId }, bare }: Pick<Scene, 'world' | 'bare'>) {
  const { rowCount: waiting } = await owner.query(
    `INSERT INTO payment_plan_requests (organization_id, invoice_id, chapter_id, membership_id, requested_by, justification, schedule,
                                        invoice_balance_cents, is_in_policy, policy_reasons, policy, freeze_anchor)
     SELECT i.organization_id, i.id, i.chapter_id, i.membership_id, m.user_id, 'I earn again from next month on.',
            json_build_array(json_build_object('due_date', i.due_date + 30, 'amount_cents', i.balance_due_cents)), i.balance_due_cents,
            n % 2 = 0, '[]', '{}', CASE WHEN n % 2 = 0 THEN i.due_date END
       FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM chapter_invoices
              WHERE organization_id = $1 AND status = 'open' AND payer_type = 'member' AND balance_due_cents > 0 LIMIT $2) i
       JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id`,
    [organizationId, MOST_WAITING],
  );
  await owner.query('VACUUM (ANALYZE) payment_plan_requests');
  const { page, page_size: pageSize, ordering: orderBy } = PlanQueueFilters.parse({});
  const statement = planRequestsStatement({ page, pageSize, orderBy });
  const perSecond = await rateOf(statement, { ...bare, connections: 1, seconds: Math.max(1, bare.seconds) });
  return { waiting, milliseconds: 1000 / perSecond };
}
