import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { column, integer, link, moment, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** open: being charged. paid: its gift is completed. missed: it is not charged any more. */
const PERIOD_STATUSES = ['open', 'paid', 'missed'] as const;

/** declined: no charge succeeded. withdrawn: the pledge was paused or cancelled before a charge took money. */
const MISSED_REASONS = ['declined', 'withdrawn'] as const;

/** One period of a pledge, with the gift that pays it. */
export class PledgePeriod extends defineModel({
  table: 'pledge_periods',
  columns: {
    ...tenantKeys,
    pledge_id: link(),
    n: integer(0, 2_147_483_647),
    due_at: moment(),
    donation_id: link(),
    status: oneOf(PERIOD_STATUSES).default('open'),
    tries: column(DataTypes.SMALLINT, z.int().min(0)).default(0),
    declines: column(DataTypes.SMALLINT, z.int().min(0)).default(0),
    next_try_at: moment().computed('now()').nullable(),
    confirming_at: moment().nullable(),
    missed_reason: oneOf(MISSED_REASONS).nullable(),
    closed_at: moment().nullable(),
    ...times,
  },
}) {}
