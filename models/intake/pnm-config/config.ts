/**
 * Reads and replaces the application form of an organization. Until its admins change it, the built-in form applies.
 */
import { type Edit, editRow, lockForEdit } from '../../database/model/change.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { ApplicationConfig, type Question } from './ApplicationConfig.js';

export type ShownConfig = ShownRow<typeof ApplicationConfig>;

/** The form of an organization that has never changed it. */
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

/** Reads the configuration. Version 0 means that it was never changed. */
export const readApplicationConfig = async (): Promise<ShownConfig> =>
  (await findRow(ApplicationConfig, tenant())) ?? BUILT_IN;

/**
 * Replaces the whole configuration. Settings that are left out get their built-in value. Questions can be archived but
 * not removed.
 * @throws Refusal stale_version, validation_error naming questions or consents
 */
export async function replaceApplicationConfig(requested: Edit<ApplicationConfig>): Promise<ShownConfig> {
  await rows('INSERT INTO pnm_application_configs (organization_id, version) VALUES ($1, 0) ON CONFLICT DO NOTHING', [
    currentOrganization(),
  ]);
  const row = await lockForEdit(ApplicationConfig, tenant());
  requireQuestionsKept(row.questions, requested.questions ?? []);
  await requireTemplates(requested.consents ?? []);
  await editRow(row, { ...BUILT_IN, version: undefined, ...requested });
  return readApplicationConfig();
}

function requireQuestionsKept(before: readonly Question[], after: readonly Question[]): void {
  const types = new Map(after.map(({ key, type }) => [key, type]));
  for (const { key, type } of before) {
    const now = types.get(key);
    if (now === undefined)
      throw invalid('questions', `The question ${key} was already asked and cannot be removed. Archive it instead.`);
    if (now !== type)
      throw invalid(
        'questions',
        `The question ${key} was already asked with the type ${type}. For another type, add a question with another key.`,
      );
  }
}

async function requireTemplates(ids: readonly string[]): Promise<void> {
  const existing = await rows<{ id: string }>(
    `SELECT id FROM consent_templates WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND audience = 'applicants'`,
    [currentOrganization(), ids],
  );
  const at = ids.findIndex((id) => !existing.some((one) => one.id === id));
  if (at >= 0) throw invalid(`consents.${at}`, 'There is no such consent for applicants.');
}
