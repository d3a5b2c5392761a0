import { z } from 'zod';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { MAX_CENTS } from '../../../models/fields.js';
import { hiddenCents } from '../fields.js';
import { OrgDuesSettings } from '../../../models/finances/dues-settings/OrgDuesSettings.js';

const twoDecimals = (amount: number): boolean => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6;

/** The only amount of this API that is not in cents. */
const cap = z
  .number()
  .min(0)
  .max(MAX_CENTS / 100)
  .refine(twoDecimals, 'At most two decimals.')
  .meta({ description: 'In currency units. Refunds above it need an approval.', example: 50 });

const { refund_cap_per_officer_cents: _shown, ...settingsShape } = rowJson(OrgDuesSettings).shape;
export const DuesSettingsJson = z
  .object({ ...settingsShape, plan_min_first_payment_cents: hiddenCents, refund_cap_per_officer: cap })
  .meta({ id: 'OrgDuesSettings' });

const { refund_cap_per_officer_cents: _given, ...editShape } = editBody(OrgDuesSettings).shape;
export const DuesSettingsEdit = z
  .object({
    ...editShape,
    refund_cap_per_officer: cap.optional(),
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description:
        'The version that you have seen; 0 if the settings were never changed. If it has changed, the answer is 409.',
    }),
  })
  .meta({ id: 'OrgDuesSettingsEdit' });
