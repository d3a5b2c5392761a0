import { rollOver } from '../../../workflows/contracts/index.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, createRow } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { oneRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { hashOf, PLAN, planValues, type RolloverRequest } from './plan.js';
import { requireKnown } from './previewRollover.js';
import { Rollover } from './Rollover.js';

/**
 * Confirms a preview: writes down exactly whom it showed, and starts the process that moves them. Who becomes due later is
 * for another run.
 * @throws Refusal validation_error, preview_stale, rollover_in_progress, nothing_to_roll_over
 */
export async function startRollover(request: RolloverRequest, previewHash: string): Promise<ShownRow<typeof Rollover>> {
  await requireKnown(request);
  const { academicYear: academic_year, throughSeason: through_season, toStatus: to_status, chapters, except } = request;
  const asked = { academic_year, through_season, to_status, chapters, preview_hash: previewHash };
  const { id } = await createRow(Rollover, { ...asked, started_by: currentScope().origin.userId });
  const values = planValues(request);
  const { planned } = await oneRow<{ planned: number }>(
    `WITH ${PLAN}, written AS (
       INSERT INTO rollover_lines (organization_id, rollover_id, membership_id, chapter_id, status, role, graduation_year, graduation_season)
       SELECT $1, $6, membership_id, chapter_id, status, role, graduation_year, graduation_season FROM plan
        ORDER BY chapter_id, membership_id RETURNING 1)
     SELECT count(*)::int AS planned FROM written`,
    [...values, id],
  );
  // Hashed as written, so that who is moved is who was confirmed.
  const { hash } = await oneRow<{ hash: string }>(
    `SELECT ${hashOf('rollover_lines WHERE organization_id = $1 AND rollover_id = $5', '$4')} AS hash`,
    [...values.slice(0, 3), to_status, id],
  );
  if (hash !== previewHash) throw refuse.preview_stale();
  if (planned === 0) throw organizationsErrors.nothing_to_roll_over();
  await changeRow(Rollover, id, { members_planned: planned });
  await audit({
    action: 'rollover.started',
    subjectType: 'rollover',
    subjectId: id,
    after: { ...asked, ...(except.length > 0 && { except }) },
  });
  await enqueue(rollOver, { rolloverId: id });
  return readRow(Rollover, id);
}
