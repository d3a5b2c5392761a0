import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import {
  type DuesSettings,
  readDuesSettings,
  updateDuesSettings,
} from '../../../models/finances/dues-settings/duesSettings.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { MAX_CENTS } from '../../../models/fields.js';
import { OrgDuesSettings } from '../../../models/finances/dues-settings/OrgDuesSettings.js';
import { OrganizationParams } from '../../http/params.js';
import { anyOfficer, anyRegionalAdmin, authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, patch, routes } from '../../http/routes.js';
import { finances, hiddenCents } from '../fields.js';

const twoDecimals = (amount: number): boolean => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6;

/** The only amount of this API that is not in cents. */
const cap = z
  .number()
  .min(0)
  .max(MAX_CENTS / 100)
  .refine(twoDecimals, 'At most two decimals.')
  .meta({ description: 'In currency units. Refunds above it need an approval.', example: 50 });

const { refund_cap_per_officer_cents: _shown, ...settingsShape } = rowJson(OrgDuesSettings).shape;
const DuesSettingsJson = z
  .object({ ...settingsShape, plan_min_first_payment_cents: hiddenCents, refund_cap_per_officer: cap })
  .meta({ id: 'OrgDuesSettings' });

const { refund_cap_per_officer_cents: _given, ...editShape } = editBody(OrgDuesSettings).shape;
const DuesSettingsEdit = z
  .object({
    ...editShape,
    refund_cap_per_officer: cap.optional(),
    version: z.int().min(0).max(2_147_483_647).optional().meta({
      description:
        'The version that you have seen; 0 if the settings were never changed. If it has changed, the answer is 409.',
    }),
  })
  .meta({ id: 'OrgDuesSettingsEdit' });

const duesSettingsPolicy = policy('dues settings', {
  read: [nationalAdmin, anyRegionalAdmin, anyOfficer],
  write: [nationalAdmin],
});

const shared = { ...finances, params: OrganizationParams, response: DuesSettingsJson };

const present = ({ refund_cap_per_officer_cents, ...settings }: DuesSettings) => ({
  ...settings,
  refund_cap_per_officer: refund_cap_per_officer_cents / 100,
});

/**
 * Hides the minimum first payment from officers who do not see amounts, because they could infer something about hidden
 * amounts from it.
 */
const presentTo = (actor: Actor, settings: DuesSettings) => ({
  ...present(settings),
  ...(actor.isNationalAdmin || actor.isRegionalAdmin || settings.officers_see_amounts
    ? {}
    : { plan_min_first_payment_cents: null }),
});

export const duesSettingsRoutes = routes('/api/organizations/:organization_id/dues-settings', [
  get(
    '/',
    { ...shared, summary: 'Dues settings of the organization', rule: by(duesSettingsPolicy, 'read') },
    async ({ actor }) => {
      authorize(actor, duesSettingsPolicy, 'read');
      return presentTo(actor, await readDuesSettings());
    },
  ),

  patch(
    '/',
    {
      ...shared,
      summary: 'Edit the dues settings',
      rule: by(duesSettingsPolicy, 'write'),
      body: DuesSettingsEdit,
      errors: [refuse.stale_version],
    },
    async ({ actor, body }) => {
      authorize(actor, duesSettingsPolicy, 'write');
      const { refund_cap_per_officer: cap, ...change } = body;
      const capCents = cap === undefined ? undefined : Math.round(cap * 100);
      return present(await updateDuesSettings({ ...change, refund_cap_per_officer_cents: capCents }));
    },
  ),
]);
