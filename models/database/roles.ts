/**
 * Checks that the database role of the API and the worker (the runtime role) does not have too many rights. The only
 * other role is the owner.
 */
import { rows } from './rows.js';
import { inPlatform } from './tenancy.js';

/** Returns the user name in a database URL. */
export const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);

interface RoleFacts {
  name: string;
  superuser: boolean;
  bypass: boolean;
  owns: number;
}

const ROLE_FACTS = `
  SELECT rolname AS name, rolsuper AS superuser, rolbypassrls AS bypass,
         (SELECT count(*) FROM pg_class WHERE pg_has_role(r.oid, relowner, 'USAGE')
           AND relnamespace = 'public'::regnamespace) AS owns
    FROM pg_roles r WHERE rolname = current_user`;

/**
 * Returns the reason why a role has too many rights, or null if its rights are correct.
 * @param query runs a statement with the role to check
 */
export async function weaknessOf(query: (text: string) => Promise<RoleFacts[]>): Promise<string | null> {
  const [role] = await query(ROLE_FACTS);
  if (!role) throw new Error('The role of this connection was not found in pg_roles.');
  if (role.superuser) return `role ${role.name} is a superuser; use the runtime role.`;
  if (role.bypass) return `role ${role.name} bypasses row level security; use the runtime role.`;
  return role.owns > 0 ? `role ${role.name} owns tables; use the runtime role.` : null;
}

/**
 * Requires that the current role has only the rights of a runtime role. API and worker call this when they start.
 * @throws Error if the role has more rights
 */
export async function refuseStrongRole(): Promise<void> {
  const weakness = await inPlatform(() => weaknessOf((text) => rows<RoleFacts>(text)));
  if (weakness) throw new Error(`DATABASE_URL: ${weakness}`);
}
