/** People who can log in, and their first requests. */
import { hashPassword } from '../../../models/identity/password/passwordHash.js';
import { Client, type Reply } from '../../support/api.js';
import { during } from '../../support/during.js';
import { asOwner } from '../../support/owner.js';

export const PASSWORD = 'harbor-violet-kettle-77';

let hash: Promise<string> | undefined;

/** Gives a user the password that all tests use. */
export async function givePassword(userId: string): Promise<void> {
  hash ??= hashPassword(PASSWORD);
  await asOwner('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, await hash]);
}

/** Clears throttles and failure budgets, because all tests come from one address. */
export async function forgetAttempts(): Promise<void> {
  await asOwner('DELETE FROM failure_budgets');
  await asOwner('DELETE FROM throttles');
}

/** Returns a browser that has logged in. */
export async function aBrowser(url: string, email: string, organization?: string): Promise<Client> {
  const browser = new Client(url);
  const { status } = await logIn(browser, { email, organization });
  if (status !== 200) throw new Error(`Log-in answered ${status}.`);
  return browser;
}

/** Returns a native client that has logged in, with its refresh token. */
export async function aNativeClient(url: string, email: string): Promise<{ client: Client; refreshToken: string }> {
  const client = new Client(url, { headers: { 'X-Client': 'native' } });
  const { body } = await logIn(client, { email });
  client.token = body.access_token;
  return { client, refreshToken: body.refresh_token };
}

interface Login {
  email: string;
  password?: string | undefined;
  organization?: string | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
export const logIn = (client: Client, { email, password = PASSWORD, organization }: Login): Promise<Reply<any>> =>
  client.post('/api/auth/login/', { email, password, organization });

/** The remaining requests that the next answer to this session's client would report. */
export const sessionOf = async (userId: string) =>
  asOwner<{ id: string; revoked_at: Date | null; revoked_reason: string | null; organization_id: string | null }>(
    'SELECT id, revoked_at, revoked_reason, organization_id FROM sessions WHERE user_id = $1 ORDER BY id DESC',
    [userId],
  );

/**
 * Sends requests that lock this person in order: each waits for its lock before the next is sent. Then releases the lock.
 * @param between runs while all requests wait
 */
export const inOrder = <T>(
  userId: string,
  calls: readonly (() => Promise<T>)[],
  between?: () => Promise<unknown>,
): Promise<T[]> => during('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId], calls, between);
