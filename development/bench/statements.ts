/** The product's own statements, for the reference: taken from where the product takes them, so that they stay the same. */
import pg from 'pg';
import type { Statement } from '../../models/database/rows.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { type AccountAtLogin, findAccountAtLogin } from '../../models/identity/accounts.js';
import { sessionStatement } from '../../models/identity/startSession.js';

/** The text of the first of the two statements that a log-in cannot do without: it finds the account. */
export const findAccountText = (): Promise<string> => lastTextOf(() => findAccountAtLogin('nobody@example.org', null));

/** The other one begins the session. */
export const beginSessionStatement = (account: AccountAtLogin): Statement =>
  sessionStatement({
    userId: account.id,
    organizationId: account.organization?.id ?? null,
    device: { client: 'native', userAgent: null, ipAddress: '127.0.0.1' },
    passwordHash: account.password_hash as string,
  });

/** The last statement with values that `work` sends. */
async function lastTextOf(work: () => Promise<unknown>): Promise<string> {
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const original = prototype.query;
  let last = '';
  prototype.query = function noted(...given: unknown[]) {
    if (typeof given[0] === 'string' && Array.isArray(given[1])) last = given[0];
    return original.apply(this, given);
  };
  try {
    await inPlatform(work);
  } finally {
    prototype.query = original;
  }
  if (last === '') throw new Error('No statement was sent.');
  return last;
}
