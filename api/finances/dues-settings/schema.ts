import { z } from 'zod';
import { BILLING_MODES, PLAN_REQUESTERS } from '../../../models/finances/settings/duesSettings.js';
import { expectedVersion, MAX_CENTS, version } from '../fields.js';

const twoDecimals = (amount: number): boolean => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6;

const fields = {
  billing_mode: z.enum(BILLING_MODES),
  officers_see_amounts: z.boolean().meta({ description: 'Off: officers see status buckets only.' }),
  payment_plans_enabled: z.boolean(),
  plan_requesters: z.enum(PLAN_REQUESTERS),
  plan_max_installments: z.int().min(2).max(60),
  plan_max_duration_days: z.int().min(1).max(1095),
  plan_min_first_payment_cents: z.int().min(0).max(MAX_CENTS),
  auto_approve_within_limits: z.boolean(),
  plan_regional_approval: z.boolean().meta({ description: 'On: regional admins may review plan requests too.' }),
  refund_cap_per_officer: z
    .number()
    .min(0)
    .max(MAX_CENTS / 100)
    .refine(twoDecimals, 'At most two decimals.')
    .meta({ description: 'In currency units. Refunds above it need an approval.', example: 50 }),
};

export const DuesSettingsJson = z
  .object({ ...fields, currency: z.string().meta({ example: 'usd' }), version })
  .meta({ id: 'OrgDuesSettings' });

export const DuesSettingsPatch = z
  .strictObject({ ...fields, version: expectedVersion })
  .partial()
  .meta({ id: 'OrgDuesSettingsPatch' });
