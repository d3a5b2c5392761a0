/** How an organization bills. The row comes with the first change; until then these defaults hold. */
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { patchRow } from '../patchRow.js';

export const BILLING_MODES = ['bill_chapter', 'bill_member'] as const;
export const PLAN_REQUESTERS = ['members', 'officers', 'members_and_officers'] as const;
export type BillingMode = (typeof BILLING_MODES)[number];

/** OrgDuesSettings of the spec. */
export interface DuesSettings {
  billing_mode: BillingMode;
  officers_see_amounts: boolean;
  payment_plans_enabled: boolean;
  plan_requesters: (typeof PLAN_REQUESTERS)[number];
  plan_max_installments: number;
  plan_max_duration_days: number;
  plan_min_first_payment_cents: number;
  auto_approve_within_limits: boolean;
  plan_regional_approval: boolean;
  refund_cap_per_officer_cents: number;
  currency: string;
  version: number;
}

/** The table's defaults, in words: version 0 says that nobody has changed anything yet. */
export const DEFAULT_SETTINGS: DuesSettings = {
  billing_mode: 'bill_member',
  officers_see_amounts: true,
  payment_plans_enabled: false,
  plan_requesters: 'members_and_officers',
  plan_max_installments: 6,
  plan_max_duration_days: 180,
  plan_min_first_payment_cents: 0,
  auto_approve_within_limits: false,
  plan_regional_approval: false,
  refund_cap_per_officer_cents: 5_000,
  currency: 'usd',
  version: 0,
};

/** The tenant's settings, in one statement. */
export async function readDuesSettings(): Promise<DuesSettings> {
  const columns = Object.keys(DEFAULT_SETTINGS).join(', ');
  const row = await firstRow<DuesSettings>(
    `SELECT ${columns} FROM org_dues_settings WHERE organization_id = (SELECT app.org_id())`,
  );
  return row ?? DEFAULT_SETTINGS;
}

export type DuesSettingsChange = {
  [Field in keyof Omit<DuesSettings, 'currency' | 'version'>]?: DuesSettings[Field] | undefined;
};

/** @param version what the editor saw; 0 for the defaults. @throws Refusal stale_version */
export async function updateDuesSettings(
  change: DuesSettingsChange,
  version: number | undefined,
): Promise<DuesSettings> {
  const organizationId = currentOrganization();
  await rows(
    'INSERT INTO org_dues_settings (organization_id, version) VALUES ($1, 0) ON CONFLICT (organization_id) DO NOTHING',
    [organizationId],
  );
  await patchRow({
    table: 'org_dues_settings',
    key: ['organization_id', organizationId],
    values: change,
    version,
    subjectType: 'dues_settings',
  });
  return readDuesSettings();
}
