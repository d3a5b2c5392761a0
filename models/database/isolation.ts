/** How a table becomes a tenant's: the SQL that every migration uses for it. */

export interface Isolation {
  /** Rows are written once: no UPDATE, no DELETE, for anybody. */
  appendOnly?: boolean;
  /** Column that names the tenant. */
  column?: string;
}

/**
 * SQL that forces row level security on `table`: the runtime role sees one tenant, the owner (seed, ledger check) all.
 * The owner needs a policy of its own because FORCE binds it too.
 */
export function isolate(
  table: string,
  runtime: string,
  { appendOnly = false, column = 'organization_id' }: Isolation = {},
): string {
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY tenant ON ${table} TO ${runtime}
      USING (${column} = (SELECT app.org_id())) WITH CHECK (${column} = (SELECT app.org_id()));
    CREATE POLICY owner_sees_all ON ${table} TO CURRENT_USER USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT${appendOnly ? '' : ', UPDATE, DELETE'} ON ${table} TO ${runtime};
    ${appendOnly ? immutable(table) : ''}`;
}

/** SQL that makes rows of `table` facts: a correction is a new row. */
const immutable = (table: string): string => `
  CREATE TRIGGER ${table}_immutable BEFORE UPDATE OR DELETE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION app.refuse_change();`;

/** SQL for a table that keeps \`updated_at\`, and \`version\` where two people may edit. */
export const touched = (table: string): string => `
  CREATE TRIGGER ${table}_touch BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION app.touch();`;

export const TIMES = `created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now()`;
