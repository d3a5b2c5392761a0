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
import { idempotencyKey } from '../../fields.js';
import { RECURRING_INTERVALS } from '../pledges/vocabulary.js';

export const DONATION_STATUSES = ['pending', 'completed', 'failed', 'refunded'] as const;
/** How an offline gift was given. */
export const OFFLINE_METHODS = ['cash', 'check', 'bank_transfer', 'donor_advised_fund', 'other'] as const;
/** `card`: online, on a page of the payment provider. */
export const DONATION_METHODS = ['card', ...OFFLINE_METHODS] as const;
export type DonationMethod = (typeof DONATION_METHODS)[number];
export type DonationStatus = (typeof DONATION_STATUSES)[number];

/** One gift. Its entries say what happened to the money; status and refunded amount are derived from them. */
export class Donation extends defineModel({
  table: 'donations',
  columns: {
    ...tenantKeys,
    donor_id: link().as('donor'),
    campaign_id: link().as('campaign').nullable().meta({ description: 'Null only for an offline gift.' }),
    fund_id: link().as('fund'),
    method: oneOf(DONATION_METHODS).default('card').serverSet().meta({
      description: '`card`: given online. The other methods are those of offline gifts.',
    }),
    received_on: day().nullable().meta({ description: 'The day on which an offline gift was received.' }),
    amount_cents: cents(1),
    fee_cents: cents(0),
    net_cents: cents(1).serverSet(),
    currency: column(DataTypes.TEXT, z.string()),
    base_amount_cents: cents(1).nullable(),
    first_name: name(100),
    last_name: name(100),
    is_anonymous: yesOrNo().default(false),
    status: oneOf(DONATION_STATUSES).default('pending').serverSet(),
    refunded_cents: cents(0).default(0).serverSet(),
    under_review: yesOrNo().default(false).serverSet(),
    failure_code: text(100).nullable().serverSet(),
    tax_year: column(DataTypes.INTEGER, z.int()).nullable().serverSet(),
    charged_at: moment().nullable(),
    idempotency_key: column(DataTypes.TEXT, idempotencyKey, z.string()).nullable().hidden(),
    request_hash: secret(),
    network_digest: secret().nullable(),
    recurring_interval: oneOf(RECURRING_INTERVALS).nullable(),
    pledge_id: link().as('pledge').nullable().serverSet(),
    period: integer(0, 2_147_483_647)
      .nullable()
      .serverSet()
      .meta({ description: 'Number of the period of the pledge that the gift pays; 0 is the first gift.' }),
    ...times,
  },
}) {}
