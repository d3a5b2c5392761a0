/** Admins who see the platform as their members. */
import { Client, type Reply } from '../../support/api.js';
import { asOwner } from '../../support/owner.js';
import { signIn, type World } from '../../support/world.js';

export const REASON = 'They cannot find their invoice.';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
export type Answered = Reply<any>;

export const start = (client: Client, membership: string, reason: string = REASON): Promise<Answered> =>
  client.post('/api/auth/impersonate/', { membership, reason });

export interface Impersonating {
  /** A client with the impersonation's access token. */
  client: Client;
  /** A client with the admin's own token. */
  own: Client;
  access: string;
  refresh: string;
  restore: string;
}

/** Starts an impersonation with a native client. @param userId of an admin; the world's admin by default */
export async function impersonating(
  url: string,
  world: World,
  membership = world.member.membershipId,
  userId = world.admin.userId,
): Promise<Impersonating> {
  const own = new Client(url, { token: await signIn(userId, world.organizationId) });
  const { status, body } = await start(own, membership);
  if (status !== 200) throw new Error(`The start answered ${status} ${body.code}.`);
  const client = new Client(url, { token: body.access_token });
  return { client, own, access: body.access_token, refresh: body.refresh_token, restore: body.restore_token };
}

export const refresh = (url: string, refresh_token: string, restore_token?: string): Promise<Answered> =>
  new Client(url).post('/api/auth/token/refresh/', { refresh_token, restore_token });

/** Moves the deadline into the past, as if half an hour had passed. */
export const passDeadline = (userId: string) =>
  asOwner('UPDATE impersonations SET ends_at = now() WHERE user_id = $1', [userId]);

export const claimsIn = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as Record<string, unknown>;
