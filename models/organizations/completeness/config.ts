/**
 * Reads and replaces the fields that count for the completeness of a profile: the fields that the organization chose,
 * or the built-in ones.
 */
import { editRow, lockForEdit } from '../../database/model/change.js';
import { findRow, type ShownRow } from '../../database/model/read.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { ALUMNI_STATUSES, STUDENT_STATUSES } from '../vocabulary.js';
import { CompletenessConfig, type CountedField } from './CompletenessConfig.js';

const STUDENTS: CountedField['statuses'] = [...STUDENT_STATUSES];
const MEMBERS: CountedField['statuses'] = [...STUDENT_STATUSES, ...ALUMNI_STATUSES];

/** Fields that count for completeness until the organization chooses its own. */
export const BUILT_IN: readonly CountedField[] = [
  { field: 'date_of_birth', weight: 1, statuses: MEMBERS },
  { field: 'permanent_address', weight: 1, statuses: MEMBERS },
  { field: 'phone_number', weight: 1, statuses: MEMBERS },
  { field: 'verified_email', weight: 1, statuses: MEMBERS },
  { field: 'joined_date', weight: 1, statuses: MEMBERS },
  { field: 'graduation_year', weight: 1, statuses: STUDENTS },
];

type ShownConfig = ShownRow<typeof CompletenessConfig>;

const tenant = () => ({ organization_id: currentOrganization() });

/** Returns the organization's configuration. Version 0 means that it has never been changed. */
export const readConfig = async (): Promise<ShownConfig> =>
  (await findRow(CompletenessConfig, tenant())) ?? { fields: [...BUILT_IN], version: 0 };

/**
 * Replaces the fields that count.
 * @throws Refusal stale_version
 */
export async function replaceConfig(replacement: {
  fields: CountedField[];
  version?: number | undefined;
}): Promise<ShownConfig> {
  await rows(
    'INSERT INTO completeness_configs (organization_id, fields, version) VALUES ($1, $2::jsonb, 0) ON CONFLICT DO NOTHING',
    [currentOrganization(), JSON.stringify(BUILT_IN)],
  );
  await editRow(await lockForEdit(CompletenessConfig, tenant()), replacement);
  return readConfig();
}
