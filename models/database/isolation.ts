/** What guards the rows of a table: SQL that may run again at any time and then says the same. */

/** SQL for one table; `:"runtime"` is the role that API and worker use. */
export type Guard = (table: string) => string;

/** The guards of each table of an area. */
export type Guards = Readonly<Record<string, readonly Guard[]>>;

/**
 * Row level security for a tenant's table: the runtime role sees one tenant, the owner (seed, ledger check) all. The owner
 * needs a policy of its own because FORCE binds it too.
 * @param privileges what the runtime role may do, as GRANT has it: columns may be named (`UPDATE (status, paid_at)`)
 */
export const isolate =
  (privileges = 'SELECT, INSERT, UPDATE, DELETE'): Guard =>
  (table) =>
    [forced, policy('tenant', 'ALL', `USING (${IN_TENANT}) WITH CHECK (${IN_TENANT})`), may(privileges)]
      .map((guard) => guard(table))
      .join('');

/** True of rows of the tenant that the transaction is in. */
export const IN_TENANT = 'organization_id = (SELECT app.org_id())';

/** Row level security that binds the owner too, who is let through. */
export const forced: Guard = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  DROP POLICY IF EXISTS owner_sees_all ON ${table};
  CREATE POLICY owner_sees_all ON ${table} TO CURRENT_USER USING (true) WITH CHECK (true);`;

/** What the runtime role sees, or may write. @param condition USING and WITH CHECK */
export const policy =
  (name: string, command: 'ALL' | 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE', condition: string): Guard =>
  (table) =>
    `
  DROP POLICY IF EXISTS ${name} ON ${table};
  CREATE POLICY ${name} ON ${table} FOR ${command} TO :"runtime" ${condition};`;

/** What the runtime role may do, and nothing else. */
export const may =
  (privileges: string): Guard =>
  (table) =>
    `
  REVOKE ALL ON ${table} FROM :"runtime";
  GRANT ${privileges} ON ${table} TO :"runtime";`;

/** Rows are written once, by whomever: a correction is a new row. */
export const immutable: Guard = (table) => `
  CREATE OR REPLACE TRIGGER ${table}_immutable BEFORE UPDATE OR DELETE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION app.refuse_change();`;

/** Keeps `updated_at`, and `version` where two people may edit. */
export const touched: Guard = (table) => `
  CREATE OR REPLACE TRIGGER ${table}_touch BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION app.touch();`;
