/** Measures a bulletin to the donors of a foundation, compared with a loop that sends as many mails and records nothing. */
import type { Client } from 'pg';
import { type Check, check, figure } from './audience.js';
import { measureWork } from './memory.js';
import type { Measured } from './protocol.js';
import { until } from './until.js';

export const BULLETIN = 'bulletin to donors';

interface Setup {
  owner: Client;
  organizationId: string;
  /** Number of donors to add. */
  donors: number;
  /** Starts the worker that mails the bulletin. @returns its process id */
  startWorker: () => Promise<number>;
  stopWorker: () => Promise<void>;
  /** Sends this number of mails in a bare loop, ten at a time. */
  sendBare: (count: number) => Promise<Measured>;
}

const POLLING = { pollMs: 100, patienceMs: 1_200_000, otherwise: 'The bulletin was not sent in time.' };

export async function measureBulletin(setup: Setup): Promise<Check[]> {
  const { owner, organizationId, startWorker, stopWorker, sendBare } = setup;
  await makeDonors(setup);
  await makeEarlierMails(setup);
  const pid = await startWorker();
  const {
    answer: recipients,
    seconds,
    megabytes,
  } = await measureWork(pid, async () => {
    const id = await requestBulletin(owner, organizationId);
    return untilSent(owner, id);
  });
  await stopWorker();
  const { perSecond } = await sendBare(recipients.sent);
  const times = (seconds * perSecond) / recipients.sent;
  return [
    check(`time of a bulletin to ${recipients.sent} donors, times that of a bare loop`, times, 2, ''),
    check('memory of the worker meanwhile', megabytes, 350, 'MB'),
    check('recipients without a mail', recipients.unsent, 0, ''),
    figure('mails of the bulletin a second', recipients.sent / seconds, ''),
  ];
}

async function makeDonors({ owner, organizationId, donors }: Setup): Promise<void> {
  await owner.query(
    `INSERT INTO donors (organization_id, email, first_name, last_name, gift_count)
     SELECT $1, 'donor-' || n || '@bulletin.example.org', 'Ada', 'No ' || n, 1 FROM generate_series(1, $2::int) n
     ON CONFLICT ON CONSTRAINT donors_email_unique DO NOTHING`,
    [organizationId, donors],
  );
  await owner.query('ANALYZE donors');
}

/** Number of mails that the foundation sent before. */
const EARLIER_MAILS = 10_000;

/**
 * Inserts mails that were sent before, and updates the statistics as autovacuum would have done. A plan that is made for
 * an empty table scans all of it.
 */
async function makeEarlierMails({ owner, organizationId }: Setup): Promise<void> {
  await owner.query(
    `INSERT INTO mail_messages (organization_id, message_id, email, critical, repeatable, outcome, concluded_at)
     SELECT $1, 'bulletin.' || uuidv7() || '.1', 'donor-' || n || '@bulletin.example.org', false, false, 'sent', now()
       FROM generate_series(1, $2::int) n`,
    [organizationId, EARLIER_MAILS],
  );
  await owner.query('ANALYZE mail_messages');
}

/** Inserts a bulletin whose sending an admin has requested. @returns its id */
async function requestBulletin(owner: Client, organizationId: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `WITH bulletin AS (
       INSERT INTO foundation_bulletins (organization_id, subject, body_html, audience, status, send_at, round)
       VALUES ($1, 'News', '<p>Thank you for your gifts.</p><p>Read <a href="/news">more</a>.</p>', 'all_donors', 'sending', now(), 1)
       RETURNING id)
     INSERT INTO outbox (organization_id, process, workflow_id, input)
     SELECT $1, 'foundationBulletin', 'foundation-bulletin/' || id || '/1',
            jsonb_build_object('organizationId', $1::text, 'bulletinId', id, 'round', '1') FROM bulletin
     RETURNING input->>'bulletinId' AS id`,
    [organizationId],
  );
  return (rows[0] as { id: string }).id;
}

/** Waits until the bulletin is sent. @returns the number of recipients with and without a mail */
async function untilSent(owner: Client, id: string): Promise<{ sent: number; unsent: number }> {
  await until(async () => {
    const { rows } = await owner.query("SELECT 1 FROM foundation_bulletins WHERE id = $1 AND status = 'sent'", [id]);
    return rows.length > 0 || null;
  }, POLLING);
  const { rows } = await owner.query<{ sent: number; unsent: number }>(
    `SELECT count(*) FILTER (WHERE status = 'sent')::int AS sent, count(*) FILTER (WHERE status <> 'sent')::int AS unsent
       FROM foundation_bulletin_recipients WHERE bulletin_id = $1`,
    [id],
  );
  return rows[0] as { sent: number; unsent: number };
}
