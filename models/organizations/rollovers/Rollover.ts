import { z } from 'zod';
import { DataTypes } from 'sequelize';
import { column, integer, json, link, moment, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as momentJson, previewHash } from '../../fields.js';
import { organizationsErrors } from '../errors.js';
import { RIGHT_LOST_DESCRIPTION } from '../holdsRight.js';
import { ALUMNI_STATUSES, GRADUATION_SEASONS, GRADUATION_YEARS } from '../vocabulary.js';

export const ROLLOVER_STATUSES = [
  'running',
  'completed',
  'cancelled',
  'stopped_right_lost',
  'reverting',
  'reverted',
  'revert_stopped_right_lost',
] as const;
export type RolloverStatus = (typeof ROLLOVER_STATUSES)[number];

/** Time after the end of a rollover during which it can be reverted. */
export const REVERT_WINDOW = "interval '7 days'";

const MAX_INT = 2_147_483_647;
const count = () => integer(0, MAX_INT).default(0).serverSet();

/**
 * A rollover makes the graduates of an academic year alumni, once an admin has confirmed it. The row also holds its
 * progress.
 */
export class Rollover extends defineModel({
  table: 'rollovers',
  columns: {
    ...tenantKeys,
    academic_year: integer(GRADUATION_YEARS.first, GRADUATION_YEARS.last).meta({
      description: 'The year in which it ends: 2027 for 2026 to 2027.',
      example: 2027,
    }),
    through_season: oneOf(GRADUATION_SEASONS).meta({
      description:
        'The seasons of the academic year are in the order FALL, SPRING, SUMMER. A graduation year without a season counts at the end of the year.',
    }),
    to_status: oneOf(ALUMNI_STATUSES).default('alumni'),
    chapters: json(z.array(z.uuid())).nullable().serverSet().meta({ description: 'Null: all chapters.' }),
    preview_hash: column(DataTypes.TEXT, previewHash),
    status: oneOf(ROLLOVER_STATUSES)
      .default('running')
      .serverSet()
      .meta({
        description: `${RIGHT_LOST_DESCRIPTION} \`revert_stopped_right_lost\` is the same for a revert; another administrator can continue it.`,
      }),
    members_planned: count(),
    members_moved: count(),
    members_skipped: count().meta({ description: 'Members who had changed since the preview.' }),
    members_returned: count().meta({ description: 'Members who got their earlier status back by the revert.' }),
    members_kept: count().meta({
      description: 'Members whom the revert left unchanged, because they had changed since.',
    }),
    started_by: link().nullable().serverSet(),
    reverted_by: link().nullable().serverSet(),
    ended_at: moment().nullable(),
    revert_started_at: moment().nullable(),
    reverted_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    revertible_until: derived(
      momentJson.nullable(),
      `CASE WHEN rollovers.status IN ('completed', 'cancelled', 'stopped_right_lost') THEN to_json(rollovers.ended_at + ${REVERT_WINDOW}) #>> '{}' END`,
    ),
    workflow_id: derived(z.string(), `'rollover/' || rollovers.id`),
  },
  constraints: { rollovers_one_running: organizationsErrors.rollover_in_progress },
}) {}
