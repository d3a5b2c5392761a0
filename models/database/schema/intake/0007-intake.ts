import type { Migration } from '../../schemaFiles.js';

/** Creates prospective members, their applications, and the accounts that they get. */
export const up: Migration['up'] = ({ runFiles }) =>
  runFiles(__dirname, [
    'recruitment-periods',
    'prospects',
    'applications',
    'reference-letters',
    'account-provisioning',
  ]);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP TABLE
      account_provisioning_records, account_provisioning_rests, account_provisioning_configs,
      pnm_reference_letter_tokens, pnm_reference_letters, pnm_attachments, pnm_drafts, pnm_application_versions,
      pnm_applications, pnm_application_configs, crossing_fields, crossings, pnm_name_assignments, pnm_profiles,
      recruitment_periods CASCADE;
  `);
