/**
 * The bulletins of a large organization's foundation: drafts, and two that were sent to all donors. Outcomes repeat every
 * 100 recipients.
 */
import type { Client } from 'pg';

const DRAFTS = 60;
const SENT = 2;

/** Inserts the bulletins and their recipients. Call it after the donors are inserted. */
export async function insertBulletins(client: Client, organizationId: string, organization: number): Promise<void> {
  await client.query(
    `INSERT INTO foundation_bulletins (id, organization_id, subject, body_html, audience, status, send_at, round, started_at,
                                       progressed_at, sent_at, created_at)
     SELECT pg_temp.seeded_id('foundation bulletin', $2::int * 100 + n), $1, 'Bulletin ' || n, '<p>Thank you for your gifts.</p>',
            'all_donors', CASE WHEN is_sent THEN 'sent' ELSE 'draft' END, CASE WHEN is_sent THEN at END, is_sent::int,
            CASE WHEN is_sent THEN at END, CASE WHEN is_sent THEN at END, CASE WHEN is_sent THEN at END, at
       FROM (SELECT n, n <= ${SENT} AS is_sent, now() - (100 - n) * interval '1 day' AS at
               FROM generate_series(1, ${DRAFTS + SENT}) n) planned ORDER BY n`,
    [organizationId, organization],
  );
  await client.query(
    `INSERT INTO foundation_bulletin_recipients (id, organization_id, bulletin_id, email, donor_id, status, reason, claimed_round,
                                                 concluded_at)
     SELECT pg_temp.seeded_id('bulletin recipient', $2::bigint * 1000000 + b * 100000 + o.n), $1,
            pg_temp.seeded_id('foundation bulletin', $2::int * 100 + b), o.email, o.id, r.status, r.reason,
            CASE WHEN r.status <> 'skipped' THEN 1 END, now() - (100 - b) * interval '1 day'
       FROM generate_series(1, ${SENT}) b
      CROSS JOIN (SELECT id, email, row_number() OVER (ORDER BY id) AS n FROM donors WHERE organization_id = $1) o
      CROSS JOIN LATERAL (SELECT * FROM (VALUES
        (1, 'failed', 'refused'), (2, 'failed', 'server_unavailable'), (3, 'failed', 'outcome_unknown'),
        (4, 'bounced', NULL), (5, 'skipped', 'unsubscribed'), (6, 'skipped', 'suppressed')
      ) v(rest, status, reason) WHERE v.rest = o.n % 100
      UNION ALL SELECT 0, 'sent', NULL WHERE o.n % 100 NOT BETWEEN 1 AND 6) r
      ORDER BY b, o.email`,
    [organizationId, organization],
  );
}
