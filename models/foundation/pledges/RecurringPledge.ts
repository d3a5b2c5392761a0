import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  cents,
  column,
  day,
  integer,
  link,
  moment,
  name,
  oneOf,
  secret,
  tenantKeys,
  text,
  times,
  yesOrNo,
} from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { CANCELLERS, PLEDGE_STATUSES, RECURRING_INTERVALS } from './vocabulary.js';

/** A donor's promise to give an amount every interval. Each gift is a donation, charged to the kept card. */
export class RecurringPledge extends defineModel({
  table: 'recurring_pledges',
  columns: {
    ...tenantKeys,
    donor_id: link().as('donor'),
    campaign_id: link().as('campaign'),
    fund_id: link().as('fund'),
    processor_id: link().hidden(),
    recurring_interval: oneOf(RECURRING_INTERVALS).as('interval'),
    amount_cents: cents(1),
    base_amount_cents: cents(1).nullable(),
    currency: column(DataTypes.TEXT, z.string()),
    first_name: name(100),
    last_name: name(100),
    is_anonymous: yesOrNo().default(false),
    status: oneOf(PLEDGE_STATUSES).default('active').serverSet(),
    anchor_on: day().meta({ description: 'Day of the first gift, from which all due days are computed.' }),
    next_period: integer(1, 2_147_483_647).hidden(),
    next_due_at: moment().nullable().meta({ description: 'When the next gift is charged; null: none is.' }),
    resume_on: day().nullable().serverSet().meta({ description: 'Day on which a paused pledge becomes active again.' }),
    missed_in_a_row: column(DataTypes.SMALLINT, z.int().min(0)).default(0).hidden(),
    card_encrypted: secret().nullable(),
    retired_card_encrypted: secret().nullable(),
    card_forgotten_at: moment().nullable(),
    last_charged_at: moment().nullable(),
    cancelled_at: moment().nullable(),
    cancelled_by: oneOf(CANCELLERS).nullable().serverSet(),
    cancel_reason: text(500).nullable().serverSet(),
    ...times,
  },
}) {}
