/**
 * Labels of processes for people: what a process is about, without amounts and without names of persons. One statement
 * per kind, in the tenant of the processes.
 */
import { factsByKind, type ProcessName } from '../../workflows/contracts/index.js';
import { currentOrganization, rows } from '../database/rows.js';

const count = (number: string, noun: string): string =>
  `${number} || CASE WHEN ${number} = 1 THEN ' ${noun}' ELSE ' ${noun}s' END`;

/** SQL that joins the chapter of an invoice `i` to a row that has an invoice. */
const OF_INVOICE = `JOIN chapter_invoices i ON i.organization_id = x.organization_id AND i.id = x.invoice_id
  JOIN chapters c ON c.organization_id = i.organization_id AND c.id = i.chapter_id`;
const OF_CHAPTER = 'JOIN chapters c ON c.organization_id = x.organization_id AND c.id = x.chapter_id';
const OF_PROCESSOR = 'JOIN org_payment_processors p ON p.organization_id = x.organization_id AND p.id = x.processor_id';
const OF_CAMPAIGN = 'JOIN campaigns g ON g.organization_id = x.organization_id AND g.id = x.campaign_id';

/** SQL for the label of a subject `x`: its table, joins, and expression. Other kinds have the summary of their contract. */
const LABELS: Partial<Record<ProcessName, { from: string; label: string }>> = {
  payRemittance: {
    from: `chapter_remittances x ${OF_CHAPTER} CROSS JOIN LATERAL (SELECT count(*) AS n FROM chapter_remittance_allocations a
             WHERE a.organization_id = x.organization_id AND a.remittance_id = x.id) invoices`,
    label: `'Remittance of ' || c.name || ', ' || ${count('invoices.n', 'invoice')}`,
  },
  hostedPage: { from: `payment_attempts x ${OF_INVOICE}`, label: `'Payment page for an invoice of ' || c.name` },
  applyProcessorEvent: { from: `webhook_events x ${OF_PROCESSOR}`, label: `'Event ' || x.type || ' of ' || p.label` },
  giveBackPayment: {
    from: `processor_captures x ${OF_PROCESSOR}`,
    label: `'Refund of an unmatched payment through ' || p.label`,
  },
  refund: { from: `refunds x ${OF_INVOICE}`, label: `'Refund for an invoice of ' || c.name` },
  refundRequest: { from: `refund_requests x ${OF_INVOICE}`, label: `'Refund request for an invoice of ' || c.name` },
  planFreeze: {
    from: `payment_plan_requests x ${OF_CHAPTER}`,
    label: `'Payment plan request for an invoice of ' || c.name`,
  },
  planBulkApproval: {
    from: 'plan_bulk_approvals x',
    label: `'Approval of ' || ${count('x.lines_total', 'payment plan request')}`,
  },
  terminalSettlement: {
    from: `terminal_settlements x ${OF_CHAPTER}`,
    label: `'Credit of a former member of ' || c.name`,
  },
  issueDues: {
    from: 'dues_runs x JOIN terms t ON t.organization_id = x.organization_id AND t.id = x.term_id',
    label: `'Dues run for ' || t.name || ', ' || ${count('x.invoices_planned', 'invoice')}`,
  },
  reconciliation: { from: 'org_payment_processors x', label: `'Reconciliation of ' || x.label` },
  rollOver: {
    from: 'rollovers x',
    label: `'Rollover of ' || x.academic_year || ', ' || ${count('x.members_planned', 'member')}`,
  },
  revertRollover: {
    from: 'rollovers x',
    label: `'Revert of the rollover of ' || x.academic_year || ', ' || ${count('x.members_moved', 'member')}`,
  },
  publishBulletin: { from: 'bulletins x', label: `'Bulletin "' || x.title || '"'` },
  recruitmentTurn: { from: 'recruitment_periods x', label: `'Recruitment period ' || x.name` },
  settleApplication: { from: `pnm_application_versions x ${OF_CHAPTER}`, label: `'Application to ' || c.name` },
  annualReceipts: {
    from: 'annual_receipt_runs x',
    label: `'Annual receipts of ' || x.tax_year || ', ' || ${count('x.receipts_planned', 'receipt')}`,
  },
  donationReceipt: { from: 'tax_receipts x', label: `'Receipt ' || x.number` },
  donationPage: {
    from: `payment_attempts x JOIN donations d ON d.organization_id = x.organization_id AND d.id = x.donation_id
      JOIN campaigns g ON g.organization_id = d.organization_id AND g.id = d.campaign_id`,
    label: `'Payment page for a gift to ' || g.title`,
  },
  donationRefund: {
    from: `processor_captures x ${OF_PROCESSOR}`,
    label: `'Refund of a gift through ' || p.label`,
  },
  recurringPledge: { from: `recurring_pledges x ${OF_CAMPAIGN}`, label: `'Pledge to ' || g.title` },
  pledgeCharge: { from: `recurring_pledges x ${OF_CAMPAIGN}`, label: `'Charge of a pledge to ' || g.title` },
  foundationBulletin: { from: 'foundation_bulletins x', label: `'Bulletin "' || x.subject || '"'` },
};

/** Reports whether processes of a kind have labels of their own. */
export const hasLabels = (kind: string): boolean => queryOf(kind) !== undefined;

const queryOf = (kind: string) => LABELS[(factsByKind(kind)?.name ?? '') as ProcessName];

/** Maximum length of a label. */
const MAX_LENGTH = 200;

interface LabelledProcess {
  workflowId: string;
  kind: string;
  subjectId: string | null;
}

/** Returns the labels of processes of the tenant, by workflow id. Processes without a label of their own are left out. */
export async function readLabels(processes: readonly LabelledProcess[]): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  for (const kind of new Set(processes.map((process) => process.kind))) {
    const query = queryOf(kind);
    const ofKind = processes.filter((process) => process.kind === kind);
    const ids = ofKind.flatMap(({ subjectId }) => subjectId ?? []);
    if (!query || ids.length === 0) continue;
    const found = await rows<{ id: string; label: string }>(
      `SELECT x.id, left(${query.label}, ${MAX_LENGTH}) AS label FROM ${query.from}
        WHERE x.organization_id = $1 AND x.id = ANY ($2)`,
      [currentOrganization(), ids],
    );
    const bySubject = new Map(found.map(({ id, label }) => [id, label]));
    for (const { workflowId, subjectId } of ofKind) {
      const label = bySubject.get(subjectId ?? '');
      if (label !== undefined) labels.set(workflowId, label);
    }
  }
  return labels;
}
