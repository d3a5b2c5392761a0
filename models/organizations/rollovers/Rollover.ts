import { z } from 'zod';
import { DataTypes } from 'sequelize';
import { column, integer, json, link, moment, oneOf, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { moment as momentJson, previewHash } from '../../fields.js';
import { organizationsErrors } from '../errors.js';
import { RIGHT_LOST_MEANS } from '../holdsRight.js';
import { GRADUATION_SEASONS, GRADUATION_YEARS } from '../vocabulary.js';

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

/** What a graduate becomes. */
const GRADUATE_STATUSES = ['alumni', 'active_alumni', 'lifetime_alumni'] as const;

/** After its end. */
export const REVERTIBLE = "interval '7 days'";

const most = 2_147_483_647;
const count = () => integer(0, most).default(0).kept();

/** Graduates of an academic year who were confirmed to become alumni, and how far that has come. */
export class Rollover extends defineModel({
  table: 'rollovers',
  columns: {
    ...tenantKeys,
    academic_year: integer(GRADUATION_YEARS.first, GRADUATION_YEARS.last).meta({
      description: 'The year in which it ends: 2027 for 2026 to 2027.',
      example: 2027,
    }),
    through_season: oneOf(GRADUATION_SEASONS).meta({
      description: 'Its seasons are in this order: FALL, SPRING, SUMMER. A year without a season counts at its end.',
    }),
    to_status: oneOf(GRADUATE_STATUSES).default('alumni'),
    chapters: json(z.array(z.uuid())).nullable().kept().meta({ description: 'null: all of them.' }),
    preview_hash: column(DataTypes.TEXT, previewHash),
    status: oneOf(ROLLOVER_STATUSES)
      .default('running')
      .kept()
      .meta({
        description: `${RIGHT_LOST_MEANS} \`revert_stopped_right_lost\` is the same of taking it back, which another administrator goes on with.`,
      }),
    members_planned: count(),
    members_moved: count(),
    members_skipped: count().meta({ description: 'They had changed since the preview.' }),
    members_returned: count().meta({ description: 'Whom a revert has given back their status.' }),
    members_kept: count().meta({ description: 'Whom it has left as they are, since they had changed.' }),
    started_by: link().nullable().kept(),
    reverted_by: link().nullable().kept(),
    ended_at: moment().nullable(),
    revert_started_at: moment().nullable(),
    reverted_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at.hidden(),
  },
  derived: {
    revertible_until: derived(
      momentJson.nullable(),
      `CASE WHEN rollovers.status IN ('completed', 'cancelled', 'stopped_right_lost') THEN to_json(rollovers.ended_at + ${REVERTIBLE}) #>> '{}' END`,
    ),
    workflow_id: derived(z.string(), `'rollover/' || rollovers.id`),
  },
  constraints: { rollovers_one_running: organizationsErrors.rollover_in_progress },
}) {}
