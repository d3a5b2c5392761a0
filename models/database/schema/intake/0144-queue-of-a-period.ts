import type { Migration } from '../../schemaFiles.js';

/** Adds an index for the list and count of one recruitment period's queue. */
export const up: Migration['up'] = ({ run }) =>
  run('CREATE INDEX pnm_profiles_in_period ON pnm_profiles (organization_id, recruitment_period_id, id);');

export const down: Migration['down'] = ({ run }) => run('DROP INDEX pnm_profiles_in_period;');
