import type { Migration } from '../../schemaFiles.js';

/** The queue of one recruitment period is cut and counted from an index, however many came in it. */
export const up: Migration['up'] = ({ run }) =>
  run('CREATE INDEX pnm_profiles_in_period ON pnm_profiles (organization_id, recruitment_period_id, id);');

export const down: Migration['down'] = ({ run }) => run('DROP INDEX pnm_profiles_in_period;');
