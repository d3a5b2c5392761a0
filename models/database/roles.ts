/** The two database roles, and the refusal to run with too many rights. */
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

const FACTS = `
  SELECT rolname AS name, rolsuper AS superuser, rolbypassrls AS bypass,
         (SELECT count(*) FROM pg_class WHERE pg_has_role(r.oid, relowner, 'USAGE')
           AND relnamespace = 'public'::regnamespace) AS owns
    FROM pg_roles r WHERE rolname = current_user`;

/** @param ask runs a statement on the connection in question */
export async function weaknessOf(ask: (text: string) => Promise<RoleFacts[]>): Promise<string | null> {
  const [role] = await ask(FACTS);
  if (!role) throw new Error('The database does not know the role it is connected as.');
  if (role.superuser) return `role ${role.name} is a superuser; use the runtime role.`;
  if (role.bypass) return `role ${role.name} bypasses row level security; use the runtime role.`;
  return role.owns > 0 ? `role ${role.name} owns tables; use the runtime role.` : null;
}

/** Called by API and worker before they serve. */
export async function refuseStrongRole(): Promise<void> {
  const weakness = await inPlatform(() => weaknessOf((text) => rows<RoleFacts>(text)));
  if (weakness) throw new Error(`DATABASE_URL: ${weakness}`);
}
