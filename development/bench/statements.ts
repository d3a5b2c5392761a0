/** The product's own statements for the reference, captured from the product so that they stay the same. */
import pg from 'pg';
import type { Statement } from '../../models/database/rows.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { type AccountAtLogin, findAccountAtLogin } from '../../models/identity/accounts.js';
import { sessionStatement } from '../../models/identity/startSession.js';

/** Returns the statement that finds the account, the first of the two that a log-in needs. */
export const findAccountText = (): Promise<string> => lastTextOf(() => findAccountAtLogin('nobody@example.org', null));

/** Returns the statement that begins the session, the second of the two that a log-in needs. */
export const beginSessionStatement = (account: AccountAtLogin): Statement =>
  sessionStatement({
    userId: account.id,
    organizationId: account.organization?.id ?? null,
    device: { client: 'native', userAgent: null, ipAddress: '127.0.0.1' },
    passwordHash: account.password_hash as string,
  });

/** Returns the last parameterized statement that `work` sends. */
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
