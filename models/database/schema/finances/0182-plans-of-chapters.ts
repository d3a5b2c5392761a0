import type { Migration } from '../../schemaFiles.js';

/** Adds an index of the active plans of a chapter, for its roster. */
export const up: Migration['up'] = ({ run }) =>
  run(`CREATE INDEX plans_chapter ON payment_plans (organization_id, chapter_id) WHERE status = 'active';`);

export const down: Migration['down'] = ({ run }) => run('DROP INDEX plans_chapter;');
