import { z } from 'zod';
import { integer, link, moment, name, oneOf, stamps, tenant, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid, taken } from '../../errors.js';
import { RIGHT_LOST_MEANS, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { intakeErrors } from '../errors.js';

const PERIOD_STATUSES = ['draft', 'active', 'closed'] as const;

const turns = () => integer(0, 2_147_483_647).default(0).kept().hidden();

/** A term in which an organization takes applications; always all of it. At most one is active (spec: Recruitment period). */
export class RecruitmentPeriod extends defineModel({
  table: 'recruitment_periods',
  subject: 'recruitment_period',
  columns: {
    ...tenantKeys,
    organization_id: tenant.as('organization'),
    term_id: link().as('term').fixed(),
    name: name(100).meta({ example: 'Fall intake 2026' }),
    opens_at: moment(),
    closes_at: moment(),
    closed_message: text(1000).nullable().meta({ description: 'What applicants read while it is not open.' }),
    status: oneOf(PERIOD_STATUSES).default('draft').kept(),
    reopen_reason: text(500).nullable().kept(),
    changed_by: link().nullable().kept().meta({ description: 'Who activated, closed or reopened it last.' }),
    turn: turns(),
    settled_turn: turns(),
    stopped_turn: turns(),
    stop_reason: oneOf(['cancelled', STOPPED_RIGHT_LOST])
      .nullable()
      .kept()
      .meta({
        description: `Why not everybody has followed: the process was cancelled, or ${RIGHT_LOST_MEANS}`,
      }),
    turned_at: moment().nullable().hidden(),
    links_ended_at: moment().nullable().hidden(),
    ...stamps,
  },
  derived: {
    is_open: derived(
      z.boolean().meta({ description: 'Whether applications are taken now.' }),
      `recruitment_periods.status = 'active' AND now() BETWEEN recruitment_periods.opens_at AND recruitment_periods.closes_at`,
    ),
    is_settled: derived(
      z.boolean().meta({ description: 'Whether everybody whom closing or reopening concerns has followed.' }),
      'recruitment_periods.settled_turn = recruitment_periods.turn',
    ),
  },
  constraints: {
    recruitment_periods_term: taken('term', 'This term has a recruitment period.'),
    recruitment_periods_one_active: () => intakeErrors.period_already_active(),
    recruitment_periods_times: () => invalid('closes_at', 'Must be after opens_at.'),
  },
}) {}
