import type { Migration } from '../../schemaFiles.js';

/** Adds an index that finds the officers of a chapter. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    CREATE INDEX memberships_offices ON memberships (organization_id, chapter_id) WHERE role IN ('officer','president');
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP VIEW IF EXISTS waiting_approvals;
    DROP VIEW IF EXISTS officers_in_standing, region_reviewers;
    DROP INDEX memberships_offices;
  `);
