/** Requests that wait for a decision: as many of each kind as an organization may have after a holiday. */

/** Runs a statement; its result is not used. */
type Run = (sql: string, values: unknown[]) => Promise<unknown>;

/** SQL that inserts requests about members: to add them, to change their status, and to transfer them. */
const REQUESTS = [
  `INSERT INTO account_requests (organization_id, chapter_id, email, first_name, last_name, justification, status, verified_at)
   SELECT m.organization_id, m.chapter_id, 'waiting-' || m.id || '@bench.example.org', 'A', 'B', 'Why.', 'pending', now()
     FROM members m`,
  `INSERT INTO member_add_requests (organization_id, chapter_id, email, first_name, last_name, justification, status, requested_by)
   SELECT m.organization_id, m.chapter_id, 'waiting-' || m.id || '@bench.example.org', 'A', 'B', 'Why.', 'pending_regional', m.user_id
     FROM members m`,
  `INSERT INTO status_change_requests (organization_id, chapter_id, membership_id, from_status, to_status, reason, status, requested_by)
   SELECT m.organization_id, m.chapter_id, m.id, m.status, 'inactive', 'Why.', 'pending_officer', m.user_id FROM members m`,
  `INSERT INTO transfer_requests (organization_id, chapter_id, to_chapter_id, membership_id, reason, status, requested_by)
   SELECT m.organization_id, m.chapter_id, (places.ids)[1 + m.n % cardinality(places.ids)], m.id, 'Why.', 'pending_destination', m.user_id
     FROM members m, (SELECT array_agg(id) AS ids FROM chapters WHERE organization_id = $1 AND status = 'active') places`,
];

/**
 * Inserts pending requests of every kind.
 * @param each number of requests of every kind, at most one per member
 */
export async function makeWaiting(run: Run, organizationId: string, each: number): Promise<void> {
  for (const request of REQUESTS)
    await run(
      `WITH members AS (SELECT m.*, row_number() OVER (ORDER BY m.id)::int AS n FROM memberships m
          JOIN chapters c ON c.id = m.chapter_id AND c.status = 'active' WHERE m.organization_id = $1 ORDER BY m.id LIMIT $2)
       ${request}`,
      [organizationId, each],
    );
  for (const table of ['account_requests', 'member_add_requests', 'status_change_requests', 'transfer_requests'])
    await run(`ANALYZE ${table}`, []);
}
