/** Who is to be transferred where: looked up, locked and held against the rules of a transfer. */
import { lockRow } from '../../database/model/change.js';
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
  /** The membership that the person has there from before, and that is opened again. */
  reopened: Membership | null;
}

/** As it is now, for a preview. @throws Refusal as `requireMovable` */
export async function readMove(membershipId: string, toChapter: string): Promise<Move> {
  const membership = await loadRow(Membership, membershipId);
  const before = await requireMovable(membership, toChapter);
  return { membership, toChapter, reopened: before === null ? null : await loadRow(Membership, before) };
}

/**
 * The same, locked, and the person with it: of two transfers at once one goes on. Open requests are locked first, as
 * reviewers do.
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
  const before = await findThere({ id: membershipId, user_id }, toChapter);
  const ids = before === null ? [membershipId] : [membershipId, before.id].toSorted();
  const locked = [];
  for (const id of ids) locked.push(await lockRow(Membership, id));
  const membership = locked.find(({ id }) => id === membershipId) as Membership;
  await requireMovable(membership, toChapter);
  return { membership, toChapter, reopened: locked.find(({ id }) => id === before?.id) ?? null };
}

interface There {
  id: string;
  status: Membership['status'];
}

const findThere = ({ id, user_id }: Pick<Membership, 'id' | 'user_id'>, chapter: string): Promise<There | null> =>
  firstRow<There>(
    'SELECT id, status FROM memberships WHERE organization_id = $1 AND user_id = $2 AND chapter_id = $3 AND id <> $4',
    [currentOrganization(), user_id, chapter, id],
  );

/**
 * Whether somebody can be transferred. Who has left, or is to be asked first, is not.
 * @returns the id of the membership that they have there from before
 * @throws Refusal validation_error, chapter_not_active, transition_not_allowed, membership_exists, invitation_open
 */
export async function requireMovable(membership: Membership, toChapter: string): Promise<string | null> {
  if (membership.chapter_id === toChapter) throw invalid('to_chapter', 'This is their chapter.');
  if (!(await chapterExists(toChapter))) throw invalid('to_chapter', 'There is no such chapter.');
  if (['inactive', 'disaffiliated'].includes(membership.status))
    throw organizationsErrors.transition_not_allowed(
      `This membership is ${membership.status}: there is nothing to transfer.`,
    );
  await requireActiveChapter(toChapter);
  const before = await findThere(membership, toChapter);
  if (before && before.status !== 'inactive') throw organizationsErrors.membership_exists();
  if (await isPlaceholder(membership.user_id)) throw identityErrors.invitation_open();
  return before?.id ?? null;
}
