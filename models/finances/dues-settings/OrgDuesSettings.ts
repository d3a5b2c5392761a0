import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { cents, column, integer, oneOf, stamps, tenant, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const BILLING_MODES = ['bill_chapter', 'bill_member'] as const;
export type BillingMode = (typeof BILLING_MODES)[number];
const PLAN_REQUESTERS = ['members', 'officers', 'members_and_officers'] as const;

/** How many days before the due date reminders are sent: numbers without duplicates, in descending order. */
const reminderDays = z
  .array(z.int().min(1).max(60))
  .max(10)
  .transform((days) => [...new Set(days)].toSorted((a, b) => b - a));

/** Billing settings of an organization. The row is created with the first change. */
export class OrgDuesSettings extends defineModel({
  table: 'org_dues_settings',
  subject: 'dues_settings',
  columns: {
    organization_id: tenant.primaryKey().hidden(),
    billing_mode: oneOf(BILLING_MODES).default('bill_member'),
    officers_see_amounts: yesOrNo()
      .default(true)
      .meta({ description: 'If false, officers see payment statuses only.' }),
    payment_plans_enabled: yesOrNo().default(false),
    plan_requesters: oneOf(PLAN_REQUESTERS).default('members_and_officers'),
    plan_max_installments: integer(2, 60).default(6),
    plan_max_duration_days: integer(1, 1095).default(180),
    plan_min_first_payment_cents: cents(0).default(0),
    auto_approve_within_limits: yesOrNo().default(false),
    plan_regional_approval: yesOrNo()
      .default(false)
      .meta({ description: 'If true, regional admins may review plan requests as well.' }),
    reminder_days_before: column(DataTypes.ARRAY(DataTypes.INTEGER), reminderDays, z.array(z.int()))
      .default([7, 1])
      .meta({
        description: 'Days before the due date on which payers are reminded. Empty: never.',
        example: [7, 1],
      }),
    dunning_interval_days: integer(1, 90)
      .default(14)
      .meta({ description: 'Days between reminders of an overdue invoice.' }),
    dunning_max: integer(0, 24)
      .default(3)
      .meta({ description: 'Maximum number of overdue reminders per due date. 0: none.' }),
    refund_cap_per_officer_cents: cents(0).default(5_000),
    currency: column(DataTypes.TEXT, z.string()).default('usd').serverSet().meta({ example: 'usd' }),
    version: stamps.version,
    created_at: stamps.created_at.hidden(),
    updated_at: stamps.updated_at.hidden(),
  },
}) {}
