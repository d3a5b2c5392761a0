import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import {
  type DuesSettings,
  readDuesSettings,
  updateDuesSettings,
} from '../../../models/finances/settings/duesSettings.js';
import { authorize, by } from '../../http/policy.js';
import { get, patch, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { duesSettingsPolicy } from './policy.js';
import { DuesSettingsJson, DuesSettingsPatch } from './schema.js';

const shared = { ...finances, params: z.object({ id: z.uuid() }), response: DuesSettingsJson };

const present = ({ refund_cap_per_officer_cents, ...settings }: DuesSettings) => ({
  ...settings,
  refund_cap_per_officer: refund_cap_per_officer_cents / 100,
});

export const duesSettingsRoutes = routes('/api/organizations/:id/dues-settings', [
  get(
    '/',
    { ...shared, summary: 'How the organization bills its dues', rule: by(duesSettingsPolicy, 'read') },
    async ({ actor, params }) => {
      organizationInPath(actor, params.id);
      authorize(actor, duesSettingsPolicy, 'read');
      return present(await readDuesSettings());
    },
  ),

  patch(
    '/',
    {
      ...shared,
      summary: 'Change how dues are billed',
      rule: by(duesSettingsPolicy, 'write'),
      body: DuesSettingsPatch,
      errors: [refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.id);
      authorize(actor, duesSettingsPolicy, 'write');
      const { version, refund_cap_per_officer: cap, ...change } = body;
      const capCents = cap === undefined ? undefined : Math.round(cap * 100);
      return present(await updateDuesSettings({ ...change, refund_cap_per_officer_cents: capCents }, version));
    },
  ),
]);
