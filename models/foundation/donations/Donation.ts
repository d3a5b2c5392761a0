import { DataTypes } from 'sequelize';
import { z } from 'zod';
import {
  cents,
  column,
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

export const DONATION_STATUSES = ['pending', 'completed', 'failed', 'refunded'] as const;
export type DonationStatus = (typeof DONATION_STATUSES)[number];

/** One gift. Its entries say what happened to the money; status and refunded amount are derived from them. */
export class Donation extends defineModel({
  table: 'donations',
  columns: {
    ...tenantKeys,
    donor_id: link().as('donor'),
    campaign_id: link().as('campaign'),
    fund_id: link().as('fund'),
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
    ...times,
  },
}) {}
