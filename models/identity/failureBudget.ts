/**
 * Limits failed password attempts with leaky buckets (the generic cell rate algorithm): a failure adds to a bucket, and
 * time empties it. A refused attempt adds nothing, so an attacker cannot block an account for longer than one failure
 * takes to drain.
 * Attempts from one IP address at one account have their own bucket, which fills first and empties more slowly than the
 * account's bucket, so that a single attacker cannot lock a person out.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { rows } from '../database/rows.js';
import { inPlatform } from '../database/tenancy.js';
import { identityErrors } from './errors.js';

/** How many failures each bucket allows at once (`burst`); after that it allows one more every `seconds`. */
const BUDGETS = {
  account: { burst: 30, seconds: 10 },
  account_from_address: { burst: 10, seconds: 20 },
  address: { burst: 60, seconds: 5 },
} as const;

type Scope = keyof typeof BUDGETS;

export interface Attempt {
  /** The account's id; if there is no account for the typed address, that address. */
  account: string;
  ipAddress: string;
}

interface Debt {
  scope: Scope;
  seconds: number;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * Returns the network under which an IP address is counted. An IPv6 customer has 2^64 addresses, which count as one. An
 * IPv4-mapped IPv6 address counts as its IPv4 address.
 */
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

/**
 * Returns the scopes, keys and seconds of an attempt's buckets as parallel arrays. The order is always the same, so
 * that two attempts cannot deadlock.
 */
function keys({ account, ipAddress }: Attempt): [Scope[], string[], number[]] {
  const network = networkOf(ipAddress);
  const keyByScope: Record<Scope, string> = {
    account: digest(account),
    account_from_address: digest(`${account} ${network}`),
    address: digest(network),
  };
  const scopes = Object.keys(keyByScope) as Scope[];
  return [scopes, scopes.map((scope) => keyByScope[scope]), scopes.map((scope) => BUDGETS[scope].seconds)];
}

/**
 * Counts an attempt before the password is checked, as if it had failed, so that concurrent processes cannot exceed the
 * limit. If the attempt succeeds, `returnAttempt` takes the count back. An attempt beyond the limit is refused and not
 * counted, because its transaction rolls back.
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

/** Takes back the count of an attempt that did not fail, and deletes up to 100 expired buckets. */
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
