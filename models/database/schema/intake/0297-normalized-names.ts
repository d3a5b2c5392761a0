import type { Migration } from '../../schemaFiles.js';

/** Columns with names of people and things. */
const NAMES: Record<string, readonly string[]> = {
  recruitment_periods: ['name'],
  pnm_applications: ['first_name', 'last_name'],
  pnm_profiles: ['emergency_contact_name'],
  pnm_name_assignments: ['name'],
  pnm_reference_letters: ['name', 'relation'],
};

/** Normalizes names to Unicode normalization form C, so that equal names have equal bytes. */
export const up: Migration['up'] = async ({ run }) => {
  // Without triggers: only the form changes, and some triggers refuse changes of decided rows.
  for (const [table, columns] of Object.entries(NAMES))
    await run(`
      ALTER TABLE ${table} DISABLE TRIGGER USER;
      UPDATE ${table} SET ${columns.map((column) => `${column} = normalize(${column}, NFC)`).join(', ')}
       WHERE ${columns.map((column) => `${column} IS NOT NFC NORMALIZED`).join(' OR ')};
      ALTER TABLE ${table} ENABLE TRIGGER USER;`);
};

/** Changes nothing: the names stay normalized. */
export const down: Migration['down'] = async () => {};
