/** Erases personal data in requests. The ids of the requester and the reviewers stay. */
import { currentOrganization, rows } from '../../database/rows.js';
import { deleteNotificationsOf } from '../../notifications/deleteNotificationsOf.js';
import { resolveNotifications } from '../../notifications/resolve.js';

/** Text that replaces an erased text. */
export const ERASED = '(erased)';
/** SQL that erases the reviewer's notes. They are replaced, not deleted, because a rejection must have a reason. */
const NOTES = `review_notes = CASE WHEN r.review_notes IS NOT NULL THEN '${ERASED}' END`;
const FIRST_NOTES = `first_review_notes = CASE WHEN r.first_review_notes IS NOT NULL THEN '${ERASED}' END`;
const BOTH_NOTES = `${NOTES}, ${FIRST_NOTES}`;
const WITHDRAWN = `CASE WHEN r.status IN ('approved', 'rejected') THEN r.status ELSE 'withdrawn' END`;

/**
 * Erases requests about a person whose account is deleted, and texts that the person wrote. Pending requests are
 * withdrawn. Repeating it changes nothing.
 * @returns how many changed
 */
export async function eraseRequests(userId: string, verifiedAddresses: string[]): Promise<number> {
  const erased = {
    member_add_request: await eraseMemberAddRequests(userId, verifiedAddresses),
    account_request: await eraseAccountRequests(userId, verifiedAddresses),
    status_change_request: await eraseReasons('UPDATE status_change_requests r', userId),
    transfer_request: await eraseReasons('UPDATE transfer_requests r', userId),
    hand_over_request: await withdrawHandOverRequests(userId),
  };
  for (const [subject, ids] of Object.entries(erased)) {
    for (const id of ids) await resolveNotifications(subject, id);
    // Notifications to other people about these requests contain the person's name and the notes, so delete them.
    await deleteNotificationsOf(ids);
  }
  return Object.values(erased).flat().length;
}

/**
 * Erases the notes and withdraws pending hand-over requests of the person, including those in which the person is the
 * successor or the present holder.
 */
async function withdrawHandOverRequests(userId: string): Promise<string[]> {
  const withdrawn = await rows<{ id: string }>(
    `UPDATE hand_over_requests r SET status = ${WITHDRAWN}, ${NOTES}
      WHERE organization_id = $1 AND (status = 'pending' OR review_notes <> '${ERASED}')
        AND (requested_by = $2 OR EXISTS (
          SELECT FROM memberships m JOIN officer_terms t ON t.organization_id = $1 AND t.id = r.term_id
           WHERE m.organization_id = $1 AND m.user_id = $2 AND m.id IN (r.successor_id, t.membership_id))) RETURNING id`,
    [currentOrganization(), userId],
  );
  return withdrawn.map(({ id }) => id);
}

/** SQL that erases the reason in requests that the person filed and in requests about the person's memberships. */
const ERASE_REASON = `SET reason = '${ERASED}', status = ${WITHDRAWN}, ${BOTH_NOTES}
  WHERE organization_id = $1 AND reason <> '${ERASED}' AND (requested_by = $2 OR membership_id IN (
    SELECT id FROM memberships WHERE organization_id = $1 AND user_id = $2)) RETURNING id`;

async function eraseReasons(update: string, userId: string): Promise<string[]> {
  const erased = await rows<{ id: string }>(`${update} ${ERASE_REASON}`, [currentOrganization(), userId]);
  return erased.map(({ id }) => id);
}

async function eraseMemberAddRequests(userId: string, verifiedAddresses: string[]): Promise<string[]> {
  const erased = await rows<{ id: string }>(
    `UPDATE member_add_requests r
        SET justification = '${ERASED}', status = ${WITHDRAWN}, ${BOTH_NOTES},
            email = CASE WHEN about THEN NULL ELSE email END,
            first_name = CASE WHEN about THEN '${ERASED}' ELSE first_name END,
            last_name = CASE WHEN about THEN '${ERASED}' ELSE last_name END
       FROM (SELECT q.id, q.email = ANY ($3) IS TRUE OR m.user_id IS NOT NULL AND q.email IS NOT NULL AS about
               FROM member_add_requests q
               LEFT JOIN memberships m ON m.organization_id = $1 AND m.id = q.membership_id AND m.user_id = $2
              WHERE q.organization_id = $1 AND (q.email = ANY ($3) OR m.user_id IS NOT NULL AND q.email IS NOT NULL
                OR q.requested_by = $2 AND q.justification <> '${ERASED}')
              ORDER BY q.id FOR NO KEY UPDATE OF q) found
      WHERE r.organization_id = $1 AND r.id = found.id RETURNING r.id`,
    [currentOrganization(), userId, verifiedAddresses],
  );
  return erased.map(({ id }) => id);
}

/** Erases account requests, including those that linked an address to the account. */
async function eraseAccountRequests(userId: string, verifiedAddresses: string[]): Promise<string[]> {
  const erased = await rows<{ id: string }>(
    `UPDATE account_requests r
        SET email = NULL, first_name = '${ERASED}', last_name = '${ERASED}', phone_number = NULL,
            justification = '${ERASED}', status = ${WITHDRAWN}, ${NOTES}, token_hash = NULL, token_expires_at = NULL,
            withdrawal_hash = NULL, undo_token_hash = NULL, undo_until = NULL
       FROM (SELECT q.id FROM account_requests q
               LEFT JOIN memberships m ON m.organization_id = $1 AND m.id = q.created_membership_id AND m.user_id = $2
              WHERE q.organization_id = $1 AND q.email IS NOT NULL
                AND (q.email = ANY ($3) OR q.linked_user_id = $2 OR m.user_id IS NOT NULL)
              ORDER BY q.id FOR NO KEY UPDATE OF q) found
      WHERE r.organization_id = $1 AND r.id = found.id RETURNING r.id`,
    [currentOrganization(), userId, verifiedAddresses],
  );
  return erased.map(({ id }) => id);
}

/**
 * Erases the person in requests whose approval created this placeholder. @param keepsName whether the organization
 * still needs the name
 */
export async function eraseRequestedPerson(placeholderId: string, keepsName: boolean): Promise<void> {
  const text = `email = NULL, justification = '${ERASED}', ${NOTES},
    first_name = CASE WHEN $3 THEN r.first_name ELSE '${ERASED}' END,
    last_name = CASE WHEN $3 THEN r.last_name ELSE '${ERASED}' END
    FROM memberships m WHERE m.organization_id = $1 AND m.user_id = $2 AND r.organization_id = $1`;
  const values = [currentOrganization(), placeholderId, keepsName];
  const update = (query: string) => rows<{ id: string }>(`${query} RETURNING r.id`, values);
  const requests = [
    ...(await update(`UPDATE member_add_requests r SET ${FIRST_NOTES}, ${text} AND r.membership_id = m.id`)),
    ...(await update(`UPDATE account_requests r SET phone_number = NULL, ${text} AND r.created_membership_id = m.id`)),
  ];
  if (!keepsName) await deleteNotificationsOf(requests.map(({ id }) => id));
}
