import type { Migration } from '../../schemaFiles.js';

/** Columns with names of people and things. */
const NAMES: Record<string, readonly string[]> = {
  organizations: ['name'],
  chapters: ['designation', 'university', 'city', 'state'],
  chapter_advisors: ['name', 'title'],
  organization_admins: ['title'],
  regional_admins: ['title'],
  officer_terms: ['title'],
  planned_terms: ['title'],
  memberships: ['pledge_class'],
  member_profiles: ['preferred_name'],
  account_requests: ['first_name', 'last_name'],
  member_add_requests: ['first_name', 'last_name', 'pledge_class'],
};

/** Columns whose names are unique in an organization. */
const UNIQUE = ['regions', 'chapters', 'terms'];

/** Runs without triggers: only the form changes, and some triggers refuse changes of decided rows. */
const quietly = (table: string, update: string): string => `
  ALTER TABLE ${table} DISABLE TRIGGER USER;
  ${update};
  ALTER TABLE ${table} ENABLE TRIGGER USER;`;

const normalize = (table: string, columns: readonly string[]): string =>
  quietly(
    table,
    `UPDATE ${table} SET ${columns.map((column) => `${column} = normalize(${column}, NFC)`).join(', ')}
      WHERE ${columns.map((column) => `${column} IS NOT NFC NORMALIZED`).join(' OR ')}`,
  );

/** Names that differ only in their form would become equal: all but the first get the end of their row's id. */
const normalizeApart = (table: string): string =>
  quietly(
    table,
    `UPDATE ${table} t SET name = left(normalize(name, NFC), 80) || ' ' || right(id::text, 12)
       FROM (SELECT id AS given, row_number() OVER (PARTITION BY organization_id, normalize(name, NFC)
                    ORDER BY name IS NFC NORMALIZED DESC, id) AS place FROM ${table}) other
      WHERE other.given = t.id AND other.place > 1;
     UPDATE ${table} SET name = normalize(name, NFC) WHERE name IS NOT NFC NORMALIZED`,
  );

const HELD = ['organizations', ...UNIQUE];

/** Normalizes names to Unicode normalization form C, so that equal names have equal bytes. */
export const up: Migration['up'] = async ({ run }) => {
  for (const [table, columns] of Object.entries(NAMES)) await run(normalize(table, columns));
  for (const table of UNIQUE) await run(normalizeApart(table));
  for (const table of HELD)
    await run(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_name_normalized CHECK (name IS NFC NORMALIZED)`);
};

export const down: Migration['down'] = async ({ run }) => {
  for (const table of HELD) await run(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_name_normalized`);
};
