/** The figures of a run. */
import type { Books } from './books.js';
import type { Finding } from './checks/finding.js';
import type { Kill } from './killer.js';
import type { Load } from './load/load.js';
import type { ChaosOptions, Plant } from './options.js';

export interface Rest {
  /** Seconds from the end of the last client until the platform was idle, or until the timeout. */
  seconds: number;
  /** Work that remained at the timeout; empty when the platform became idle. */
  unrest: string[];
}

export interface Report {
  seed: number;
  cluster: boolean;
  plants: Plant[];
  passed: boolean;
  seconds: number;
  quiet: Rest;
  kills: {
    total: number;
    byPart: Record<string, number>;
    byMoment: Record<string, number>;
    each: Kill[] /** The slowest. */;
    servedAfterSeconds: number;
  };
  requests: Record<string, Record<string, number>>;
  faults: Record<string, number>;
  money: Record<string, number>;
  findings: Finding[];
}

export interface Outcome {
  options: ChaosOptions;
  kills: Kill[];
  load: Load;
  scheduleRuns: number;
  rest: Rest;
  seconds: number;
  findings: Finding[];
}

export async function reportOf(
  { options, kills, load, scheduleRuns, rest, seconds, findings }: Outcome,
  books: Books,
): Promise<Report> {
  const requests = [...load.diary.answers].map(([request, answers]) => [request, Object.fromEntries(answers)]);
  return {
    seed: options.seed,
    cluster: options.cluster,
    plants: options.plants,
    passed: rest.unrest.length === 0 && findings.every(({ violations }) => violations.length === 0),
    seconds,
    quiet: rest,
    kills: {
      total: kills.length,
      byPart: counted(kills.map(({ part }) => part)),
      byMoment: counted(kills.map(({ moment }) => moment)),
      each: kills,
      servedAfterSeconds: Math.max(0, ...kills.map(({ servedAfterSeconds }) => servedAfterSeconds ?? 0)),
    },
    requests: Object.fromEntries(requests) as Report['requests'],
    faults: Object.fromEntries(load.gateway.injected),
    money: await moneyMoved(books, scheduleRuns),
    findings,
  };
}

const MONEY: Record<string, string> = {
  'remittances drafted': 'chapter_remittances',
  'attempts to pay': 'payment_attempts WHERE remittance_id IS NOT NULL',
  'attempts failed': `payment_attempts WHERE remittance_id IS NOT NULL AND status = 'failed'`,
  'remittances settled': 'chapter_remittances WHERE settled_at IS NOT NULL',
  'remittances flagged': 'chapter_remittances WHERE reconciliation_flagged_at IS NOT NULL',
  'flags resolved': 'chapter_remittances WHERE resolved_at IS NOT NULL',
  'members credited': 'payment_records WHERE remittance_id IS NOT NULL',
  'paid on a hosted page': `processor_captures WHERE invoice_id IS NOT NULL`,
  'refunds succeeded': `refunds WHERE status = 'succeeded'`,
  'refunds failed': `refunds WHERE status = 'failed'`,
  'refund requests above the cap': 'refund_requests',
  'charges with refunds': 'processor_captures WHERE refunded_cents > 0',
  'gifts given': 'donations',
  'gifts paid': 'donations WHERE charged_at IS NOT NULL',
  'gifts under review or failed': `donations WHERE charged_at IS NULL AND (under_review OR status = 'failed')`,
  'gifts with refunds': 'donations WHERE refunded_cents > 0',
  'receipts issued': 'tax_receipts',
  'annual receipts issued': 'tax_receipts WHERE donation_id IS NULL',
  pledges: 'recurring_pledges',
  'pledges cancelled': `recurring_pledges WHERE status = 'cancelled'`,
  'periods of pledges paid': `pledge_periods WHERE n > 0 AND status = 'paid'`,
  'periods of pledges withdrawn': `pledge_periods WHERE missed_reason = 'withdrawn'`,
  'bulletins sent': `foundation_bulletins WHERE status = 'sent'`,
  'recipients of bulletins mailed': `foundation_bulletin_recipients WHERE status = 'sent'`,
  'events applied': 'webhook_events WHERE processed_at IS NOT NULL',
  'events delivered again': 'webhook_events WHERE deliveries > 1',
  'overdue reminders sent': `invoice_reminders WHERE kind = 'overdue'`,
  'notifications mailed': `notification_deliveries WHERE channel = 'email' AND outcome = 'sent'`,
  'mails with unknown outcome': `notification_deliveries WHERE channel = 'email' AND (outcome = 'unknown'
    OR (outcome IS NULL AND claimed_at IS NOT NULL))`,
};

async function moneyMoved(books: Books, scheduleRuns: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, source] of Object.entries(MONEY)) counts[name] = await books.count(source);
  return { ...counts, 'overdue schedule runs': scheduleRuns };
}

function counted(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
