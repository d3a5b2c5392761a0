/** Notifications to mark as read; each is unread only once. */
import type { Client } from 'pg';
import type { Call } from './protocol.js';
import type { SignedIn } from './world.js';

/** Notifications per call, like a page that a person has read. */
const PER_CALL = 2;

const path = '/api/notifications/mark_read/';

/** Returns the same call for an id that no notification has, so that it marks nothing. */
export const nothingToMark = (call: Call): Call => ({ ...call, body: bodyOf([crypto.randomUUID()]) });

/** Inserts unread notifications. They are old, so that no mail is sent. @returns calls of several people in turn */
export async function makeUnread(owner: Client, readers: SignedIn[], count: number): Promise<Call[]> {
  const { rows } = await owner.query<{ ids: string[]; n: number }>(
    `WITH people AS (SELECT u.id, p.organization_id, p.n
         FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS p (email, organization_id, n) JOIN users u ON u.email = p.email),
     made AS (
       INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type,
         subject_id, created_at)
       SELECT people.organization_id, people.id, 'bench:' || uuidv7(), 'something_new', 'new_post', 'News', 'post', uuidv7(), now() - interval '2 days'
         FROM generate_series(0, $3::int - 1) AS k JOIN people ON people.n = k / $4::int % $5::int + 1
       RETURNING id, recipient_id)
     SELECT array_agg(m.id) AS ids, m.n FROM (
       SELECT made.id, people.n::int AS n, (row_number() OVER (PARTITION BY people.n ORDER BY made.id) - 1) / $4 AS call
         FROM made JOIN people ON people.id = made.recipient_id) m
      GROUP BY m.n, m.call ORDER BY m.call, m.n`,
    [
      readers.map(({ email }) => email),
      readers.map(({ organizationId }) => organizationId),
      count * PER_CALL,
      PER_CALL,
      readers.length,
    ],
  );
  await owner.query('VACUUM (ANALYZE) notifications');
  return rows.map(({ ids, n }) => ({
    method: 'POST',
    path,
    headers: { ...readers[n - 1]?.headers, 'Content-Type': 'application/json' },
    body: bodyOf(ids),
  }));
}

const bodyOf = (ids: string[]): string => JSON.stringify({ notification_ids: ids });
