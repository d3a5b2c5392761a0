import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { cents, column, integer, oneOf, stamps, tenant, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const BILLING_MODES = ['bill_chapter', 'bill_member'] as const;
export type BillingMode = (typeof BILLING_MODES)[number];
const PLAN_REQUESTERS = ['members', 'officers', 'members_and_officers'] as const;

/** How an organization bills. The row comes with the first change. */
export class OrgDuesSettings extends defineModel({
  table: 'org_dues_settings',
  subject: 'dues_settings',
  columns: {
    organization_id: tenant.primaryKey().hidden(),
    billing_mode: oneOf(BILLING_MODES).default('bill_member'),
    officers_see_amounts: yesOrNo().default(true).meta({ description: 'Off: officers see status buckets only.' }),
    payment_plans_enabled: yesOrNo().default(false),
    plan_requesters: oneOf(PLAN_REQUESTERS).default('members_and_officers'),
    plan_max_installments: integer(2, 60).default(6),
    plan_max_duration_days: integer(1, 1095).default(180),
    plan_min_first_payment_cents: cents(0).default(0),
    auto_approve_within_limits: yesOrNo().default(false),
    plan_regional_approval: yesOrNo()
      .default(false)
      .meta({ description: 'On: regional admins may review plan requests too.' }),
    due_soon_days: integer(0, 60)
      .default(7)
      .meta({ description: 'So many days before an invoice is due its payer is reminded, once; 0: never.' }),
    refund_cap_per_officer_cents: cents(0).default(5_000),
    currency: column(DataTypes.TEXT, z.string()).default('usd').kept().meta({ example: 'usd' }),
    version: stamps.version,
    created_at: stamps.created_at.hidden(),
    updated_at: stamps.updated_at.hidden(),
  },
}) {}
