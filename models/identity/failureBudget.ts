/**
 * How many wrong passwords are put up with. Each budget is a bucket that leaks (the generic cell rate algorithm): a
 * failure adds to it, time empties it, and nothing that an attacker does keeps it full for longer than one step.
 * The attempts from one address at one account run out first and leak slower than the account's own bucket,
 * so that one attacker alone cannot keep a person out.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { rows } from '../database/rows.js';
import { inPlatform } from '../database/tenancy.js';
import { identityErrors } from './errors.js';

/** `burst` failures at once, then one every `seconds`. */
const BUDGETS = {
  account: { burst: 30, seconds: 10 },
  account_from_address: { burst: 10, seconds: 20 },
  address: { burst: 60, seconds: 5 },
} as const;

type Scope = keyof typeof BUDGETS;

export interface Attempt {
  /** The account's id; where there is none, what was typed instead. */
  account: string;
  ipAddress: string;
}

interface Debt {
  scope: Scope;
  seconds: number;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** An IPv6 customer has 2^64 addresses and counts as one; an IPv4 address in IPv6 clothes is what it is. */
export function networkOf(ipAddress: string): string {
  if (!isIPv6(ipAddress)) return ipAddress;
  const embedded = /^::ffff:([\d.]+)$/i.exec(ipAddress)?.[1];
  if (embedded) return embedded;
  const [head = [], tail = []] = ipAddress.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...tail]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Scopes and keys in one order everywhere, so that two attempts never wait for one another in a circle. */
function keys({ account, ipAddress }: Attempt): [Scope[], string[], number[]] {
  const network = networkOf(ipAddress);
  const keyed: Record<Scope, string> = {
    account: digest(account),
    account_from_address: digest(`${account} ${network}`),
    address: digest(network),
  };
  const scopes = Object.keys(keyed) as Scope[];
  return [scopes, scopes.map((scope) => keyed[scope]), scopes.map((scope) => BUDGETS[scope].seconds)];
}

/**
 * Counts an attempt as failed before it is made, so that no number of processes gets more of them; who was right
 * gets it back. One that is refused here is not counted: the transaction that counted it is rolled back.
 * @throws Refusal too_many_failures with Retry-After
 */
export async function takeAttempt(attempt: Attempt): Promise<void> {
  await inPlatform(async () => {
    const debts = await rows<Debt>(
      `INSERT INTO failure_budgets AS budget (scope, key, clear_at)
       SELECT scope, key, now() + seconds * interval '1 second'
         FROM unnest($1::text[], $2::text[], $3::int[]) AS attempt (scope, key, seconds)
       ON CONFLICT (scope, key) DO UPDATE
         SET clear_at = greatest(budget.clear_at, now()) + (excluded.clear_at - now())
       RETURNING scope, extract(epoch FROM clear_at - now())::float8 AS seconds`,
      keys(attempt),
    );
    const waits = debts.map(({ scope, seconds }) => seconds - BUDGETS[scope].burst * BUDGETS[scope].seconds);
    const wait = Math.ceil(Math.max(...waits));
    if (wait > 0) throw identityErrors.too_many_failures(undefined, undefined, { 'Retry-After': String(wait) });
  });
}

/** Gives an attempt back that was no failure, and clears away budgets that nothing is left of. */
export async function returnAttempt(attempt: Attempt): Promise<void> {
  await inPlatform(() =>
    rows(
      `WITH locked AS (
         SELECT scope, key, seconds FROM failure_budgets
           JOIN unnest($1::text[], $2::text[], $3::int[]) WITH ORDINALITY AS taken (scope, key, seconds, position)
          USING (scope, key) ORDER BY position FOR UPDATE OF failure_budgets),
       returned AS (
         UPDATE failure_budgets budget SET clear_at = budget.clear_at - locked.seconds * interval '1 second'
           FROM locked WHERE budget.scope = locked.scope AND budget.key = locked.key)
       DELETE FROM failure_budgets WHERE ctid IN (
         SELECT ctid FROM failure_budgets
          WHERE clear_at < now() AND key <> ALL ($2::text[]) LIMIT 100 FOR UPDATE SKIP LOCKED)`,
      keys(attempt),
    ),
  );
}
