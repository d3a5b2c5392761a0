/** A row of any plain table, built from the catalog's columns: a new table needs no line of its own. */
import { asOwner } from '../support/owner.js';

interface Needed {
  name: string;
  type: string;
  /** The table that it references. */
  links_to: string | null;
  /** The values that a check allows. */
  words: string | null;
}

/** Columns that have no default and may not be NULL, except the tenant. */
const NEEDED = String.raw`
  SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type,
         (SELECT f.confrelid::regclass::text FROM pg_constraint f
           WHERE f.conrelid = a.attrelid AND f.contype = 'f' AND a.attnum = ANY(f.conkey) LIMIT 1) AS links_to,
         (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
           WHERE k.conrelid = a.attrelid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]
             AND pg_get_constraintdef(k.oid) ~ ' = (ANY \(\(?ARRAY\[)?''' LIMIT 1) AS words
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull AND d.oid IS NULL
     AND a.attname <> 'organization_id'`;

const ANY_VALUE: Record<string, unknown> = {
  text: 'x',
  // A reference to something without a table of its own.
  uuid: '01900000-0000-7000-8000-000000000000',
  integer: 1,
  bigint: 1,
  smallint: 1,
  boolean: false,
  date: '2030-01-01',
  'timestamp with time zone': '2030-01-01T00:00:00Z',
  jsonb: '{}',
  'text[]': '{}',
  bytea: '\\x00',
};

/** Inserts a row of the organization. @throws Error for a table that needs more than this function knows */
export async function anyRow(organizationId: string, table: string): Promise<void> {
  const columns = await asOwner<Needed>(NEEDED, [table]);
  const values: unknown[] = [organizationId];
  for (const column of columns) values.push(await valueFor(organizationId, column));
  const names = ['organization_id', ...columns.map(({ name }) => name)];
  await asOwner(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
    values,
  );
}

async function valueFor(organizationId: string, { name, type, links_to, words }: Needed): Promise<unknown> {
  if (links_to) {
    const where =
      links_to === 'users'
        ? 'id IN (SELECT user_id FROM memberships WHERE organization_id = $1)'
        : 'organization_id = $1';
    const ask = () => asOwner<{ id: string }>(`SELECT id FROM ${links_to} WHERE ${where} LIMIT 1`, [organizationId]);
    if ((await ask()).length === 0) await anyRow(organizationId, links_to);
    return (await ask())[0]?.id;
  }
  const value = words ? /'([^']+)'/.exec(words)?.[1] : ANY_VALUE[type];
  if (value === undefined)
    throw new Error(`Nobody knows a value of type ${type} for ${name}: fillEveryTable() needs a line.`);
  return value;
}
