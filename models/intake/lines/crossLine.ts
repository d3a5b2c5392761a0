/**
 * Makes the people of a line (several prospective members) members together, exactly as it was previewed. Uses one
 * transaction and as many statements as for one person.
 */
import { auditAll } from '../../database/audit.js';
import { dispatchTriggered } from '../../database/outbox.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { invalid, refuse } from '../../errors.js';
import { requireActiveChapter } from '../../organizations/chapters.js';
import { admitMembers } from '../../organizations/lifecycle/admitMembers.js';
import type { Authority } from '../../organizations/lifecycle/transitions.js';
import { intakeErrors } from '../errors.js';
import { crossingDay } from '../pnm/crossingDay.js';
import { type LineMember, type LinePlan, type LineRequest, planLine } from './planLine.js';

/**
 * Previews for each person of a line what would happen if the line became members now. Changes nothing.
 * @throws Refusal validation_error, chapter_not_active
 */
export async function previewLine(request: LineRequest, authority: Authority): Promise<LinePlan> {
  await requireActiveChapter(request.chapter);
  await crossingDay(request.crossedAt);
  const plan = await planLine(request, authority);
  const plannedPnms = new Set(plan.members.map(({ pnm }) => pnm));
  const unknown = request.pnms.filter((pnm) => !plannedPnms.has(pnm));
  if (unknown.length > 0)
    throw invalid('pnm_ids', `These people are not in the intake of this chapter: ${unknown.join(', ')}.`);
  return plan;
}

export interface CrossedMember extends Pick<LineMember, 'pnm' | 'membership' | 'line_number'> {
  crossing: string;
}

/**
 * Makes each person a member who can become one according to the preview. A trigger inserts the crossing of each
 * person and starts one background process for it.
 * @throws Refusal preview_stale, nobody_to_cross, validation_error, chapter_not_active
 */
export async function crossLine(
  request: LineRequest,
  authority: Authority,
  previewHash: string,
): Promise<CrossedMember[]> {
  await lockLine(request);
  await requireActiveChapter(request.chapter);
  const { crossed_at, day } = await crossingDay(request.crossedAt);
  const { preview_hash, members } = await planLine(request, authority);
  if (preview_hash !== previewHash) throw refuse.preview_stale();
  const line = members.filter(({ error }) => error === null);
  if (line.length === 0) throw intakeErrors.nobody_to_cross();
  await moveProfiles(line, crossed_at);
  await auditProfiles(line, crossed_at);
  await admitMembers(line, { status: request.membershipStatus, day, cause: `line:${previewHash}` });
  const crossings = await readCrossings(line.map(({ membership }) => membership));
  await dispatchTriggered([...crossings.values()].map((crossing) => `crossing/${crossing}`));
  return line.map(({ pnm, membership, line_number }) => {
    return { pnm, membership, line_number, crossing: crossings.get(membership) as string };
  });
}

/**
 * Locks the people in the order of their memberships, like all code that locks several people. Each membership is
 * locked before its intake profile.
 */
const lockLine = ({ chapter, pnms }: LineRequest): Promise<unknown> =>
  rows(
    `SELECT FROM memberships m JOIN pnm_profiles p ON p.organization_id = m.organization_id AND p.membership_id = m.id
      WHERE m.organization_id = $1 AND m.chapter_id = $2 AND p.id = ANY ($3) ORDER BY m.id FOR NO KEY UPDATE OF m, p`,
    [currentOrganization(), chapter, pnms],
  );

const moveProfiles = (line: readonly LineMember[], crossedAt: Date): Promise<unknown> =>
  rows(
    `UPDATE pnm_profiles SET stage = 'completed', stage_reason = NULL, crossed_at = $3
      WHERE organization_id = $1 AND id = ANY ($2)`,
    [currentOrganization(), line.map(({ pnm }) => pnm), crossedAt.toISOString()],
  );

const auditProfiles = (line: readonly LineMember[], crossed_at: Date): Promise<void> =>
  auditAll(
    line.map(({ pnm, membership, stage }) => ({
      action: 'pnm_profile.updated',
      subjectType: 'pnm_profile',
      subjectId: pnm,
      person: { membershipId: membership },
      before: { stage, crossed_at: null },
      after: { stage: 'completed', crossed_at },
    })),
  );

const readCrossings = async (memberships: string[]): Promise<Map<string, string>> => {
  const crossings = await rows<{ id: string; membership_id: string }>(
    'SELECT id, membership_id FROM crossings WHERE organization_id = $1 AND membership_id = ANY ($2) AND reverted_at IS NULL',
    [currentOrganization(), memberships],
  );
  return new Map(crossings.map(({ id, membership_id }) => [membership_id, id]));
};
