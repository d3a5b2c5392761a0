/** The signed-in person, and for which screens the person's roles count. */
import { useQuery } from '@tanstack/react-query';
import type { Schema } from 'chapter-membership-client';
import { client } from '../api/client';
import { RequestFailed } from '../api/send';

export type Me = Schema<'Me'>;

/** To whom the navigation offers a screen. The API alone decides what the person may do there. */
export type Audience = 'organization_admin' | 'regional_admin' | 'officer' | 'platform_admin';

export const ME_KEY = ['me'];

/** Returns the person; null without a session. */
async function readMe(): Promise<Me | null> {
  const result = await client.GET('/api/auth/me/');
  if (result.ok) return result.data;
  if (result.kind === 'refused' && result.status === 401) return null;
  throw new RequestFailed(result);
}

export const useMe = () => useQuery({ queryKey: ME_KEY, queryFn: readMe, staleTime: Infinity });

const OFFICES = ['officer', 'president'];
/** Statuses with which a membership gives no access. */
const NO_ACCESS = ['pnm', 'disaffiliated', 'inactive'];

/** Returns the audiences of a person. A platform admin in an organization sees what its admins see. */
export function audiencesOf(me: Me): Set<Audience> {
  const audiences = new Set<Audience>();
  if (me.impersonation) return audiences;
  if (me.user.is_platform_admin) audiences.add('platform_admin');
  if (me.is_organization_admin || (me.user.is_platform_admin && me.organization)) audiences.add('organization_admin');
  if (me.regions.length > 0) audiences.add('regional_admin');
  if (me.memberships.some(({ role, status }) => OFFICES.includes(role) && !NO_ACCESS.includes(status)))
    audiences.add('officer');
  return audiences;
}
