import { currentOrganization, rows } from '../../database/rows.js';
import { PNM_STAGES, type PnmStage } from '../vocabulary.js';

export type ChapterStatistics = Record<PnmStage, number> & { chapter: string; chapter_name: string; total: number };

/**
 * Counts the prospective members of a period by chapter and stage, in one statement. Chapters without any are left out.
 */
export const readStatistics = (periodId: string): Promise<ChapterStatistics[]> =>
  rows<ChapterStatistics>(
    `SELECT c.id AS chapter, c.name AS chapter_name, count(*)::int AS total,
            ${PNM_STAGES.map((stage) => `count(*) FILTER (WHERE p.stage = '${stage}')::int AS ${stage}`).join(', ')}
       FROM pnm_profiles p JOIN chapters c ON c.organization_id = $1 AND c.id = p.chapter_id
      WHERE p.organization_id = $1 AND p.recruitment_period_id = $2
      GROUP BY c.id, c.name ORDER BY c.name, c.id`,
    [currentOrganization(), periodId],
  );
