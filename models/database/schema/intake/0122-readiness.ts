import type { Migration } from '../../schemaFiles.js';

/** Adds waivers: obstacles to an approval are waived by name, with a reason. */
export const up: Migration['up'] = ({ run }) =>
  run(`
    ALTER TABLE pnm_applications ADD COLUMN waived jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(waived) = 'array'),
      ADD COLUMN waiver_reason text CHECK (length(waiver_reason) <= 500),
      ADD CONSTRAINT pnm_applications_waiver CHECK ((waived = '[]') = (waiver_reason IS NULL));
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP FUNCTION IF EXISTS app.intake_problems(uuid, uuid);
    ALTER TABLE pnm_applications DROP COLUMN waived, DROP COLUMN waiver_reason;
  `);
