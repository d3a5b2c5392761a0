import type { Migration } from '../../schemaFiles.js';

/** Records the order of day, month and year in an imported table, and whether an exported roster includes profiles. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE bulk_imports ADD COLUMN day_order text NOT NULL DEFAULT 'ymd' CHECK (day_order IN ('ymd', 'mdy', 'dmy'));
    ALTER TABLE roster_exports ADD COLUMN with_profiles boolean NOT NULL DEFAULT false;
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    ALTER TABLE roster_exports DROP COLUMN with_profiles;
    ALTER TABLE bulk_imports DROP COLUMN day_order;
  `);
