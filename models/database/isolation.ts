/** Guards of a table's rows: idempotent SQL for row level security, grants and triggers. */

/** SQL that guards one table. `:"runtime"` stands for the role that API and worker use. */
export type Guard = (table: string) => string;

/**
 * The guards of an area's tables, by table name. An area is a folder of `models/database/schema`, for example
 * `identity`.
 */
export type Guards = Readonly<Record<string, readonly Guard[]>>;

/**
 * Isolates the rows of a tenant table with row level security. The runtime role sees one tenant's rows; the owner
 * (seed, ledger check) sees all. FORCE applies the policies to the owner as well, so the owner has a policy of its own.
 */
export const isolate =
  (privileges = 'SELECT, INSERT, UPDATE, DELETE'): Guard =>
  (table) =>
    [forceRowSecurity, policy('tenant', 'ALL', `USING (${IN_TENANT}) WITH CHECK (${IN_TENANT})`), grant(privileges)]
      .map((guard) => guard(table))
      .join('');

/** SQL condition: the row belongs to the transaction's tenant. */
export const IN_TENANT = 'organization_id = (SELECT app.org_id())';

/** Forces row level security, with a policy that lets the owner through. */
export const forceRowSecurity: Guard = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  DROP POLICY IF EXISTS owner_sees_all ON ${table};
  CREATE POLICY owner_sees_all ON ${table} TO CURRENT_USER USING (true) WITH CHECK (true);`;

/**
 * Creates a policy for the runtime role.
 * @param condition the policy's USING and WITH CHECK clauses
 */
export const policy =
  (name: string, command: 'ALL' | 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE', condition: string): Guard =>
  (table) =>
    `
  DROP POLICY IF EXISTS ${name} ON ${table};
  CREATE POLICY ${name} ON ${table} FOR ${command} TO :"runtime" ${condition};`;

/** Grants the runtime role these privileges and no others. */
export const grant =
  (privileges: string): Guard =>
  (table) =>
    `
  REVOKE ALL ON ${table} FROM :"runtime";
  GRANT ${privileges} ON ${table} TO :"runtime";`;

/** Makes rows append-only for every role: a correction is a new row. */
export const immutable: Guard = (table) => `
  CREATE OR REPLACE TRIGGER ${table}_immutable BEFORE UPDATE OR DELETE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION app.refuse_change();`;

/** Maintains `updated_at`, and `version` where the table has one. */
export const trackUpdates: Guard = (table) => `
  CREATE OR REPLACE TRIGGER ${table}_touch BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION app.touch();`;

/**
 * Like `trackUpdates`, but only for edits: if just the total that is computed from other rows changes, the row keeps
 * its version.
 */
export const trackEdits =
  (total: string): Guard =>
  (table) =>
    `
  CREATE OR REPLACE TRIGGER ${table}_touch BEFORE UPDATE ON ${table} FOR EACH ROW
    WHEN (OLD.${total} = NEW.${total}) EXECUTE FUNCTION app.touch();`;
