/** Checks that all work that was begun has been finished. */
import type { Books, Row } from '../books.js';
import type { Gateway } from '../gateway.js';
import type { ProcessSeen, Processes } from '../processes.js';
import { type Finding, repeated } from './finding.js';
import { type Mailbox, organizationMails } from '../mailbox.js';
import { OPEN_PAGES } from './pages.js';
import { PENDING_REFUNDS } from './refunds.js';

/**
 * SQL for organizations with deliveries that a killed worker had claimed: whether these were sent is unknown until the
 * claim expires.
 */
const UNCERTAIN_DELIVERIES = `SELECT DISTINCT organization_id::text AS organization FROM notification_deliveries
  WHERE outcome IS NULL AND claimed_at IS NOT NULL`;

/** Workflows that run until each mail of their organization has an outcome. */
const AWAIT_DELIVERIES = ['notificationDelivery', 'invoiceReminders'];

/** SQL for receipts whose mail a killed worker had claimed: whether it was sent is unknown until the claim expires. */
const UNCERTAIN_RECEIPTS = `SELECT split_part(message_id, '.', 2) AS receipt FROM mail_messages
  WHERE message_id LIKE 'receipt.%' AND outcome IS NULL`;

/**
 * SQL for mails to donors of pledges that are not sent. The outcome of a mail that a killed worker had claimed is unknown
 * until the claim expires; such mails are not in the list.
 */
const WAITING_NOTICES = `SELECT n.id, n.pledge_id, n.kind FROM pledge_notices n WHERE n.status = 'waiting'
  AND NOT EXISTS (SELECT FROM mail_messages m WHERE m.message_id = 'pledge.' || n.id AND m.outcome IS NULL)`;

/** SQL for pledges whose process waits for the next period, or for the claim of a mail to expire. */
const WAITING_PLEDGES = `SELECT 'pledge/' || g.id FROM recurring_pledges g
   WHERE g.status <> 'cancelled' AND (g.next_due_at IS NULL OR g.next_due_at > now())
     AND NOT EXISTS (SELECT FROM pledge_periods p WHERE p.pledge_id = g.id AND p.status = 'open')
  UNION SELECT 'pledge/' || n.pledge_id FROM pledge_notices n JOIN mail_messages m ON m.message_id = 'pledge.' || n.id
   WHERE n.status = 'waiting' AND m.outcome IS NULL`;

/** SQL for refund requests of officers that are not decided yet. */
const PENDING_REQUESTS = `refund_requests WHERE status = 'pending'`;

/** SQL for the workflow id of a page's attempt. */
const PAGE_WORKFLOW = `CASE WHEN donation_id IS NULL THEN 'hosted-page/' ELSE 'donation-page/' END || id`;

/** SQL for the workflow id of an attempt. */
const ATTEMPT_WORKFLOW = `CASE WHEN remittance_id IS NOT NULL THEN 'remittance-payment/' || remittance_id || '/' || id
  WHEN pledge_id IS NOT NULL AND NOT has_page
    THEN (SELECT 'pledge-charge/' || d.pledge_id || '/' || d.period FROM donations d WHERE d.id = donation_id)
  ELSE ${PAGE_WORKFLOW} END`;

/**
 * SQL for finished attempts whose workflows still run. Such a workflow waits until no request for a page of the attempt
 * can be in flight.
 */
const CLOSING_PAGES = `payment_attempts WHERE status <> 'pending' AND checkout_keys > 1 AND checkout_closed_at IS NULL`;

/**
 * Lists running workflows except those that wait for a good reason: for a delivery whose outcome is uncertain, a
 * payment on an open page, a decision on a request, or the next period of a pledge.
 */
async function openProcesses(books: Books, processes: Processes): Promise<ProcessSeen[]> {
  const running = await processes.list(`ExecutionStatus = 'Running'`);
  const uncertain = (await books.read<{ organization: string }>(UNCERTAIN_DELIVERIES)).map(
    ({ organization }) => organization,
  );
  const waiting = await books.read<{ workflow_id: string }>(
    `SELECT ${PAGE_WORKFLOW} AS workflow_id FROM ${OPEN_PAGES} UNION SELECT ${PAGE_WORKFLOW} FROM ${CLOSING_PAGES}
      UNION SELECT 'refund-request/' || id FROM ${PENDING_REQUESTS}
      UNION SELECT 'donation-receipt/' || receipt FROM (${UNCERTAIN_RECEIPTS}) receipts
      UNION ${WAITING_PLEDGES}`,
  );
  const open = new Set(waiting.map(({ workflow_id }) => workflow_id));
  const isExplained = ({ type, workflowId }: ProcessSeen) =>
    open.has(workflowId) ||
    (AWAIT_DELIVERIES.includes(type) && uncertain.some((organization) => workflowId.includes(organization)));
  return running.filter((seen) => !isExplained(seen));
}

/** Lists records of stuck processes whose workflow has ended. The check of each minute deletes them. */
async function endedIncidents(books: Books, processes: Processes): Promise<Row[]> {
  const incidents = await books.read<{ workflow_id: string } & Row>(
    'SELECT workflow_id, kind, reason, created_at FROM process_incidents',
  );
  if (incidents.length === 0) return [];
  const running = new Set((await processes.list(`ExecutionStatus = 'Running'`)).map(({ workflowId }) => workflowId));
  return incidents.filter(({ workflow_id: id }) => !running.has(id));
}

const WAITING_OUTBOX = `SELECT id, process, workflow_id, attempts, last_error, created_at FROM outbox WHERE dispatched_at IS NULL`;
const PENDING_ATTEMPTS = `SELECT id, remittance_id, invoice_id, donation_id, intent_id, captured_cents, created_at FROM payment_attempts
  WHERE status = 'pending' AND id NOT IN (SELECT id FROM ${OPEN_PAGES})`;
const waitingDeliveries = (dueBy: string) => `SELECT notification_id, channel, due_at FROM notification_deliveries
  WHERE outcome IS NULL AND claimed_at IS NULL AND due_at <= ${dueBy}`;
/**
 * The checks wait for deliveries that are due before this time. It lies a minute ahead, because deliveries that were
 * deferred while their channel was down become due during the checks.
 */
const SOON = `now() + interval '1 minute'`;
/** SQL for reminders without a notification. One notification covers several invoices of a payer. */
const UNSENT_REMINDERS = `SELECT id, invoice_id, kind FROM invoice_reminders k WHERE NOT EXISTS (
  SELECT FROM notifications n WHERE n.organization_id = k.organization_id AND n.subject_id = coalesce(k.reminder_id, k.invoice_id)
    AND n.event_type IN ('invoice_overdue', 'invoice_due_soon') AND (n.event_type = 'invoice_overdue' OR k.kind <> 'overdue'))`;
const WAITING_EVENTS = `SELECT id, event_id, type, deliveries, created_at FROM webhook_events WHERE processed_at IS NULL`;

/** Describes the work that the platform has not finished; empty when it is idle. @throws Error when a part is down */
export async function unrest(books: Books, processes: Processes): Promise<string[]> {
  const counts = {
    'pending attempts': (await books.read(PENDING_ATTEMPTS)).length,
    'pending refunds': (await books.read(PENDING_REFUNDS)).length,
    'outbox rows': (await books.read(WAITING_OUTBOX)).length,
    'events not applied': (await books.read(WAITING_EVENTS)).length,
    // Deliveries are counted apart from workflows. A workflow counts as explained when any delivery of its organization
    // is uncertain, and could hide another delivery that is still pending.
    'pending deliveries': (await books.read(waitingDeliveries(SOON))).length,
    'mails about pledges': (await books.read(WAITING_NOTICES)).length,
    'running workflows': (await openProcesses(books, processes)).length,
    'ended workflows on the list of stuck ones': (await endedIncidents(books, processes)).length,
  };
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
}

/** Describes the events that the gateway has not delivered. @throws Error when the gateway is down */
export async function undeliveredEvents(gateway: Gateway): Promise<string[]> {
  const { length } = await gateway.deliveries('pending');
  return length > 0 ? [`${length} events not delivered`] : [];
}

/** Checks all rules about work. @throws Error when a part is down */
export async function finishedWork(
  books: Books,
  processes: Processes,
  gateway: Gateway,
  mailbox: Mailbox,
): Promise<Finding[]> {
  const all = await processes.list();
  return [
    await findingOf(books, 'nothing is stuck in the outbox', 'outbox', WAITING_OUTBOX),
    await findingOf(
      books,
      'every payment attempt has ended, or its page is open at the gateway',
      'payment_attempts',
      PENDING_ATTEMPTS,
    ),
    await findingOf(books, 'no invoice is reserved by a finished payment', 'chapter_remittance_allocations', RESERVED),
    await everyAttemptHasItsProcess(books, all),
    await allHaveEnded(books, processes, all),
    {
      name: 'no ended workflow is on the list of stuck processes',
      examined: all.length,
      violations: await endedIncidents(books, processes),
    },
    await findingOf(books, 'every event is applied', 'webhook_events', WAITING_EVENTS),
    await everyEventArrived(books, gateway),
    await findingOf(
      books,
      'every reminder is committed together with its notification',
      'invoice_reminders',
      UNSENT_REMINDERS,
    ),
    await findingOf(
      books,
      'every notification was delivered, or its outcome is recorded as uncertain',
      'notification_deliveries',
      waitingDeliveries('now()'),
    ),
    await findingOf(
      books,
      'every mail about a pledge was sent, or its outcome is uncertain',
      'pledge_notices',
      WAITING_NOTICES,
    ),
    ...(await mailsAreSound(books, mailbox)),
  ];
}

const RESERVED = `SELECT a.remittance_id, a.invoice_id, a.reserved_by_attempt_id AS attempt_id
  FROM chapter_remittance_allocations a WHERE a.reserved_by_attempt_id IS NOT NULL`;

async function findingOf(books: Books, name: string, examines: string, query: string): Promise<Finding> {
  return { name, examined: await books.count(examines), violations: await books.read(query) };
}

async function everyAttemptHasItsProcess(books: Books, all: ProcessSeen[]): Promise<Finding> {
  const known = new Set(all.map(({ workflowId }) => workflowId));
  const attempts = await books.read<{ id: string; workflow_id: string; status: string } & Row>(
    `SELECT id, ${ATTEMPT_WORKFLOW} AS workflow_id, status FROM payment_attempts`,
  );
  return {
    name: 'every payment attempt has its workflow',
    examined: attempts.length,
    violations: attempts.filter(({ workflow_id: id }) => !known.has(id)),
  };
}

async function allHaveEnded(books: Books, processes: Processes, all: ProcessSeen[]): Promise<Finding> {
  const open = new Set((await openProcesses(books, processes)).map(({ workflowId }) => workflowId));
  const badly = all.filter(({ status }) => !['RUNNING', 'COMPLETED', 'CONTINUED_AS_NEW'].includes(status));
  return {
    name: 'every workflow has ended, and none has failed',
    examined: all.length,
    violations: [...all.filter(({ workflowId, status }) => status === 'RUNNING' && open.has(workflowId)), ...badly].map(
      (seen) => ({ ...seen }),
    ),
  };
}

async function everyEventArrived(books: Books, gateway: Gateway): Promise<Finding> {
  const lost = [...(await gateway.deliveries('pending')), ...(await gateway.deliveries('failed'))];
  const examined = await books.count('webhook_events');
  return {
    name: 'every event of the gateway has been delivered',
    examined,
    violations: lost.map((delivery) => ({ ...delivery })),
  };
}

const isRepeatable = (messageId: string): boolean => /^<?(receipt|pledge)\./.test(messageId);

async function mailsAreSound(books: Books, mailbox: Mailbox): Promise<Finding[]> {
  // The mails are read before the claims: a mail that is sent in between has its claim as well.
  const mails = await mailbox.mails();
  const rows = await books.read<{ message_id: string }>('SELECT message_id FROM mail_messages');
  const claimed = new Set(rows.map(({ message_id }) => message_id));
  const own = organizationMails(mails);
  return [
    {
      name: 'no mail was sent twice',
      examined: mails.length,
      // Receipts and mails about pledges are left out: when their outcome is unknown, they are legitimately mailed again
      // under the same Message-ID.
      violations: repeated(
        mails.filter((id) => !isRepeatable(id)),
        (id) => id,
      ).map(({ item, times }) => ({ message_id: item, times })),
    },
    {
      name: 'every mail was claimed before it was sent',
      examined: own.length,
      violations: own.filter((id) => !claimed.has(id)).map((message_id) => ({ message_id })),
    },
  ];
}
