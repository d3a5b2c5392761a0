import { rollOver } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { oneRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { planHashSql, PLAN, planValues, type RolloverRequest } from './plan.js';
import { requireOwnIds } from './previewRollover.js';
import { Rollover } from './Rollover.js';

/**
 * Confirms a preview: stores exactly the members that it showed, and starts the workflow that moves them. Members who
 * become due later need another rollover.
 * @throws Refusal validation_error, preview_stale, rollover_in_progress, nothing_to_roll_over
 */
export async function startRollover(request: RolloverRequest, previewHash: string): Promise<ShownRow<typeof Rollover>> {
  await requireOwnIds(request);
  const { academicYear: academic_year, throughSeason: through_season, toStatus: to_status, chapters, except } = request;
  const fields = { academic_year, through_season, to_status, chapters, preview_hash: previewHash };
  const { id } = await createRow(Rollover, { ...fields, started_by: currentScope().origin.userId });
  const values = planValues(request);
  const { planned } = await oneRow<{ planned: number }>(
    `WITH ${PLAN}, written AS (
       INSERT INTO rollover_lines (organization_id, rollover_id, membership_id, chapter_id, status, role, graduation_year, graduation_season)
       SELECT $1, $6, membership_id, chapter_id, status, role, graduation_year, graduation_season FROM plan
        ORDER BY chapter_id, membership_id RETURNING 1)
     SELECT count(*)::int AS planned FROM written`,
    [...values, id],
  );
  // Hash the stored lines, so that exactly the confirmed members are moved.
  const { hash } = await oneRow<{ hash: string }>(
    `SELECT ${planHashSql('rollover_lines WHERE organization_id = $1 AND rollover_id = $5', '$4')} AS hash`,
    [...values.slice(0, 3), to_status, id],
  );
  if (hash !== previewHash) throw refuse.preview_stale();
  if (planned === 0) throw organizationsErrors.nothing_to_roll_over();
  await changeRow(Rollover, id, { members_planned: planned });
  await audit({
    action: 'rollover.started',
    subjectType: 'rollover',
    subjectId: id,
    after: { ...fields, ...(except.length > 0 && { except }) },
  });
  await enqueue(rollOver, { rolloverId: id });
  return readRow(Rollover, id);
}
