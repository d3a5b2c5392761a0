/** The two roles of the database, and the refusal to run on anything stronger than the weaker one. */
import { rows } from './rows.js';
import { inPlatform } from './tenancy.js';

/** The user name in a database URL. */
export const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);

interface RoleFacts {
  name: string;
  superuser: boolean;
  bypass: boolean;
  owns: number;
}

/**
 * API and worker call this before they serve anything.
 * @throws Error when the connected role could look past row level security
 */
export async function refuseStrongRole(): Promise<void> {
  const [role] = await inPlatform(() =>
    rows<RoleFacts>(`
      SELECT rolname AS name, rolsuper AS superuser, rolbypassrls AS bypass,
             (SELECT count(*) FROM pg_class WHERE pg_has_role(r.oid, relowner, 'USAGE')
               AND relnamespace = 'public'::regnamespace) AS owns
        FROM pg_roles r WHERE rolname = current_user`),
  );
  if (!role) throw new Error('The database does not know the role it is connected as.');
  if (role.superuser) throw new Error(`DATABASE_URL: role ${role.name} is a superuser; use the runtime role.`);
  if (role.bypass)
    throw new Error(`DATABASE_URL: role ${role.name} bypasses row level security; use the runtime role.`);
  if (role.owns > 0) throw new Error(`DATABASE_URL: role ${role.name} owns tables; use the runtime role.`);
}
