/** What an organization asks of applicants: what its admins said, or the built-in form. */
import { type Edit, editRow, lockRow } from '../../database/model/change.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { ApplicationConfig, type Question } from './ApplicationConfig.js';

export type ShownConfig = ShownRow<typeof ApplicationConfig>;

/** As it is asked where nobody has changed anything. */
export const BUILT_IN: ShownConfig = {
  questions: [],
  required_fields: [],
  attachments: [],
  consents: [],
  introduction: null,
  confirmation: null,
  minimum_gpa: null,
  gpa_scale: 4,
  gpa_gate: 'flag',
  reference_letters: 0,
  reference_letter_days: 21,
  verify_email: true,
  notification_routing: [],
  version: 0,
};

const tenant = () => ({ organization_id: currentOrganization() });

/** Version 0 says that nobody has changed anything. */
export const readApplicationConfig = async (): Promise<ShownConfig> =>
  (await findRow(ApplicationConfig, tenant())) ?? BUILT_IN;

/**
 * Replaces all of it; what is left out is as built in. Questions that were asked stay: they are archived.
 * @throws Refusal stale_version, validation_error naming questions or consents
 */
export async function replaceApplicationConfig(given: Edit<ApplicationConfig>): Promise<ShownConfig> {
  await rows('INSERT INTO pnm_application_configs (organization_id, version) VALUES ($1, 0) ON CONFLICT DO NOTHING', [
    currentOrganization(),
  ]);
  const kept = await lockRow(ApplicationConfig, tenant());
  requireKept(kept.questions, given.questions ?? []);
  await requireTemplates(given.consents ?? []);
  await editRow(kept, { ...BUILT_IN, version: undefined, ...given });
  return readApplicationConfig();
}

function requireKept(before: readonly Question[], after: readonly Question[]): void {
  const types = new Map(after.map(({ key, type }) => [key, type]));
  for (const { key, type } of before) {
    const now = types.get(key);
    if (now === undefined) throw invalid('questions', `${key} was asked before: archive it.`);
    if (now !== type) throw invalid('questions', `${key} was asked as ${type}: ask anew under another key.`);
  }
}

async function requireTemplates(ids: readonly string[]): Promise<void> {
  const known = await rows<{ id: string }>(
    `SELECT id FROM consent_templates WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND audience = 'applicants'`,
    [currentOrganization(), ids],
  );
  const at = ids.findIndex((id) => !known.some((one) => one.id === id));
  if (at >= 0) throw invalid(`consents.${at}`, 'There is no such consent for applicants.');
}
