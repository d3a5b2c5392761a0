/** Measures a run of annual receipts, compared with a loop that draws and mails the same receipts and records nothing. */
import type { Client } from 'pg';
import { type Check, check, figure } from './audience.js';
import { measureWork } from './memory.js';
import type { Measured } from './protocol.js';
import { until } from './until.js';

export const ANNUAL_RECEIPTS = 'annual receipts';

interface Setup {
  owner: Client;
  organizationId: string;
  /** Number of donors with gifts of last year. */
  donors: number;
  /** Starts the worker that issues and mails. @returns its process id */
  startWorker: () => Promise<number>;
  stopWorker: () => Promise<void>;
  /** Draws and mails the receipts of a run in a bare loop, ten at a time. */
  drawBare: (runId: string) => Promise<Measured>;
}

const GIFTS_PER_DONOR = 3;
const DOMAIN = '@annual.example.org';
const POLLING = { pollMs: 100, patienceMs: 1_200_000, otherwise: 'The annual receipts were not issued in time.' };

export async function measureAnnualReceipts(setup: Setup): Promise<Check[]> {
  const { owner, organizationId, startWorker, stopWorker, drawBare } = setup;
  await makeGifts(setup);
  const pid = await startWorker();
  const { answer, seconds } = await measureWork(pid, async () => {
    const runId = await startRun(owner, organizationId);
    return { runId, ...(await untilIssued(owner, runId)) };
  });
  await stopWorker();
  const { perSecond, failures } = await drawBare(answer.runId);
  if (failures > 0) throw new Error(`The bare loop did not mail ${failures} receipts.`);
  const times = (seconds * perSecond) / answer.mailed;
  return [
    check(`time of ${answer.mailed} annual receipts, times that of a bare loop`, times, 2, ''),
    check('annual receipts that were not mailed', answer.planned - answer.mailed, 0, ''),
    figure('annual receipts issued and mailed a second', answer.mailed / seconds, ''),
  ];
}

/** Inserts donors, each with gifts of last year. */
async function makeGifts({ owner, organizationId, donors }: Setup): Promise<void> {
  await owner.query(
    `WITH campaign AS (
       SELECT c.id, c.fund_id, f.currency FROM campaigns c JOIN foundation_configs f ON f.organization_id = c.organization_id
        WHERE c.organization_id = $1 AND c.status = 'active' ORDER BY c.id LIMIT 1),
     donor AS (
       INSERT INTO donors (organization_id, email, first_name, last_name, gift_count)
       SELECT $1, 'donor-' || n || '${DOMAIN}', 'Ada', 'No ' || n, ${GIFTS_PER_DONOR} FROM generate_series(1, $2::int) n
       RETURNING id, first_name, last_name)
     INSERT INTO donations (organization_id, donor_id, campaign_id, fund_id, amount_cents, fee_cents, currency, first_name,
                            last_name, status, tax_year, charged_at, request_hash)
     SELECT $1, d.id, c.id, c.fund_id, 5000 + g, 175, c.currency, d.first_name, d.last_name, 'completed', y.year,
            make_timestamptz(y.year, 3 * g, 15, 12, 0, 0, 'UTC'), rpad('bench', 43, '-')
       FROM donor d CROSS JOIN campaign c CROSS JOIN generate_series(1, ${GIFTS_PER_DONOR}) g
      CROSS JOIN (SELECT extract(year FROM now())::int - 1 AS year) y`,
    [organizationId, donors],
  );
  await owner.query('ANALYZE donors, donations');
}

/** Inserts a run for the new donors that an admin has confirmed. @returns its id */
async function startRun(owner: Client, organizationId: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `WITH year AS (SELECT extract(year FROM now())::int - 1 AS year),
     plan AS MATERIALIZED (
       SELECT due.* FROM year CROSS JOIN LATERAL app.annual_receipts_due($1, year.year) due
         JOIN donors o ON o.organization_id = $1 AND o.id = due.donor_id AND o.email LIKE '%${DOMAIN}'),
     run AS (
       INSERT INTO annual_receipt_runs (organization_id, tax_year, preview_hash, receipts_planned, planned_cents)
       SELECT $1, year.year, repeat('0', 64), count(*), sum(plan.amount_cents) FROM year CROSS JOIN plan GROUP BY year.year
       RETURNING id),
     items AS (
       INSERT INTO annual_receipt_items (organization_id, run_id, donor_id, gift_count, amount_cents, digest)
       SELECT $1, run.id, p.donor_id, p.gift_count, p.amount_cents, p.digest FROM run CROSS JOIN plan p)
     INSERT INTO outbox (organization_id, process, workflow_id, input)
     SELECT $1, 'annualReceipts', 'annual-receipts/' || id,
            jsonb_build_object('organizationId', $1::text, 'runId', id) FROM run
     RETURNING input->>'runId' AS id`,
    [organizationId],
  );
  return (rows[0] as { id: string }).id;
}

/** Waits until the run has ended. @returns the number of planned receipts, and of mailed ones */
async function untilIssued(owner: Client, runId: string): Promise<{ planned: number; mailed: number }> {
  await until(async () => {
    const { rows } = await owner.query("SELECT 1 FROM annual_receipt_runs WHERE id = $1 AND status = 'issued'", [
      runId,
    ]);
    return rows.length > 0 || null;
  }, POLLING);
  const { rows } = await owner.query<{ planned: number; mailed: number }>(
    `SELECT receipts_planned AS planned, (SELECT count(*)::int FROM tax_receipts
              WHERE annual_run_id = r.id AND mail_status = 'mailed') AS mailed
       FROM annual_receipt_runs r WHERE r.id = $1`,
    [runId],
  );
  return rows[0] as { planned: number; mailed: number };
}
