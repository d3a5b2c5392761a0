import { z } from 'zod';
import { integer, link, moment, name, oneOf, stamps, tenant, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { invalid, duplicateValue } from '../../errors.js';
import { RIGHT_LOST_DESCRIPTION, STOPPED_RIGHT_LOST } from '../../organizations/holdsRight.js';
import { intakeErrors } from '../errors.js';

const PERIOD_STATUSES = ['draft', 'active', 'closed'] as const;

const turnColumn = () => integer(0, 2_147_483_647).default(0).serverSet().hidden();

/**
 * A period in which all chapters of an organization accept applications. At most one is active (spec: Recruitment
 * period).
 */
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
    closed_message: text(1000)
      .nullable()
      .meta({ description: 'Text that applicants see while the period is not open.' }),
    status: oneOf(PERIOD_STATUSES).default('draft').serverSet(),
    reopen_reason: text(500).nullable().serverSet(),
    changed_by: link()
      .nullable()
      .serverSet()
      .meta({ description: 'The person who last activated, closed or reopened the period.' }),
    turn: turnColumn(),
    settled_turn: turnColumn(),
    stopped_turn: turnColumn(),
    stop_reason: oneOf(['cancelled', STOPPED_RIGHT_LOST])
      .nullable()
      .serverSet()
      .meta({
        description: `Why the last change was not applied to everyone: the process was cancelled, or ${RIGHT_LOST_DESCRIPTION}`,
      }),
    turned_at: moment().nullable().hidden(),
    links_ended_at: moment().nullable().hidden(),
    ...stamps,
  },
  derived: {
    is_open: derived(
      z.boolean().meta({ description: 'Whether applications are accepted now.' }),
      `recruitment_periods.status = 'active' AND now() BETWEEN recruitment_periods.opens_at AND recruitment_periods.closes_at`,
    ),
    is_settled: derived(
      z.boolean().meta({ description: 'Whether closing or reopening was applied to everyone concerned.' }),
      'recruitment_periods.settled_turn = recruitment_periods.turn',
    ),
  },
  constraints: {
    recruitment_periods_term: duplicateValue('term', 'This term already has a recruitment period.'),
    recruitment_periods_one_active: () => intakeErrors.period_already_active(),
    recruitment_periods_times: () => invalid('closes_at', 'Must be after opens_at.'),
  },
}) {}
