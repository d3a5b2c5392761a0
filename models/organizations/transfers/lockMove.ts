/** Loads and locks the memberships of a transfer, and checks its rules. */
import { lockForEdit } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { identityErrors } from '../../identity/errors.js';
import { isPlaceholder } from '../../identity/placeholders.js';
import { chapterExists, requireActiveChapter } from '../chapters.js';
import { organizationsErrors } from '../errors.js';
import { Membership } from '../Membership.js';
import { lockOpenRequests } from '../requests/openRequests.js';

export interface Move {
  membership: Membership;
  toChapter: string;
  /**
   * The membership that the person had earlier in the new chapter, which the transfer reactivates; null if there is
   * none.
   */
  reopened: Membership | null;
}

/** Loads a transfer for a preview, without locks. @throws Refusal as `requireMovable` */
export async function readMove(membershipId: string, toChapter: string): Promise<Move> {
  const membership = await loadRow(Membership, membershipId);
  const before = await requireMovable(membership, toChapter);
  return { membership, toChapter, reopened: before === null ? null : await loadRow(Membership, before) };
}

/**
 * Loads and locks a transfer. A lock on the person lets only one of several concurrent transfers continue. Open
 * requests are locked before the memberships, because reviews of requests use that order too.
 * @throws Refusal transfer_in_progress, and as `requireMovable`
 */
export async function lockMove(membershipId: string, toChapter: string): Promise<Move> {
  const { user_id } = await loadRow(Membership, membershipId);
  const { free } = await oneRow<{ free: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 42)) AS free',
    [`${currentOrganization()}${user_id}`],
  );
  if (!free) throw organizationsErrors.transfer_in_progress();
  await lockOpenRequests([membershipId]);
  const earlier = await findEarlierMembership({ id: membershipId, user_id }, toChapter);
  const ids = earlier === null ? [membershipId] : [membershipId, earlier.id].toSorted();
  const locked = [];
  for (const id of ids) locked.push(await lockForEdit(Membership, id));
  const membership = locked.find(({ id }) => id === membershipId) as Membership;
  await requireMovable(membership, toChapter);
  return { membership, toChapter, reopened: locked.find(({ id }) => id === earlier?.id) ?? null };
}

interface EarlierMembership {
  id: string;
  status: Membership['status'];
}

const findEarlierMembership = (
  { id, user_id }: Pick<Membership, 'id' | 'user_id'>,
  chapter: string,
): Promise<EarlierMembership | null> =>
  firstRow<EarlierMembership>(
    'SELECT id, status FROM memberships WHERE organization_id = $1 AND user_id = $2 AND chapter_id = $3 AND id <> $4',
    [currentOrganization(), user_id, chapter, id],
  );

/**
 * Checks whether a member can be transferred. Members who have left, and placeholders who have not accepted, cannot.
 * @returns the id of the person's earlier membership in the new chapter
 * @throws Refusal validation_error, chapter_not_active, transition_not_allowed, membership_exists, invitation_open
 */
export async function requireMovable(membership: Membership, toChapter: string): Promise<string | null> {
  if (membership.chapter_id === toChapter) throw invalid('to_chapter', 'The member is already in this chapter.');
  if (!(await chapterExists(toChapter))) throw invalid('to_chapter', 'There is no such chapter.');
  if (['inactive', 'disaffiliated'].includes(membership.status))
    throw organizationsErrors.transition_not_allowed(
      `This membership is ${membership.status} and cannot be transferred.`,
    );
  await requireActiveChapter(toChapter);
  const before = await findEarlierMembership(membership, toChapter);
  if (before && before.status !== 'inactive') throw organizationsErrors.membership_exists();
  if (await isPlaceholder(membership.user_id)) throw identityErrors.invitation_open();
  return before?.id ?? null;
}
