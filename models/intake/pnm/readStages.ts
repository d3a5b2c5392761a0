import { currentOrganization, rows } from '../../database/rows.js';
import type { PnmStage } from '../vocabulary.js';

/** A stage that a prospective member has reached. */
export interface ReachedStage {
  /** When the stage was reached, as ISO text in UTC. */
  at: string;
  stage: PnmStage;
  reason: string | null;
  /** Name of the person who changed the stage; null if the applicant or the platform did. */
  by: string | null;
}

/** Reads from the audit log which stages a prospective member has reached, the oldest first. */
export const readStages = (profileId: string): Promise<ReachedStage[]> =>
  rows<ReachedStage>(
    `SELECT to_json(l.created_at) #>> '{}' AS at, v.after ->> 'stage' AS stage, v.after ->> 'stage_reason' AS reason,
            u.first_name || ' ' || u.last_name AS by
       FROM audit_log l
       JOIN LATERAL (SELECT after FROM audit_values WHERE organization_id = $1 AND entry_id = l.id AND after ? 'stage' LIMIT 1) v ON true
       LEFT JOIN LATERAL (SELECT * FROM users WHERE users.id = l.actor_user_id OFFSET 0) u ON true
      WHERE l.organization_id = $1 AND l.subject_id = $2 AND l.subject_type = 'pnm_profile' ORDER BY l.id`,
    [currentOrganization(), profileId],
  );
