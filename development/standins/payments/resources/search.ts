/** Search over payment intents, with a lag behind writes like the real index. */
import type Stripe from 'stripe';
import type { Store } from '../state/store.js';
import type { Row } from '../state/types.js';
import { invalidRequest } from '../wire/errors.js';

interface Version {
  account: string;
  at: number;
  value: Stripe.PaymentIntent;
}

/**
 * Keeps several versions of each payment intent: the one that search finds now, and newer ones that search finds only
 * after the lag.
 */
export class SearchIndex {
  private readonly versions = new Map<string, Version[]>();

  /** Indexes all rows of the store, and afterwards every version that is committed. */
  constructor(
    store: Store,
    private readonly lagMs: number,
    private readonly now: () => number,
  ) {
    for (const row of store.all('payment_intent')) this.add(row, row.value.created * 1000);
    store.onCommit = (writes) => {
      for (const [table, , row] of writes) {
        if (table === 'payment_intent' && row) this.add(row as Row<Stripe.PaymentIntent>, this.now());
      }
    };
  }

  /** Returns the versions of an account's intents that search can find now, newest intent first. */
  visible(account: string): Stripe.PaymentIntent[] {
    const horizon = this.now() - this.lagMs;
    const findable = [...this.versions.values()].flatMap((versions) => {
      const version = versions.findLast((candidate) => candidate.at <= horizon);
      return version?.account === account ? [version.value] : [];
    });
    return findable.reverse();
  }

  clear(): void {
    this.versions.clear();
  }

  private add({ account, value }: Row<Stripe.PaymentIntent>, at: number): void {
    const keptVersions = this.settled(this.versions.get(value.id) ?? []);
    this.versions.set(value.id, [...keptVersions, { account, at, value }]);
  }

  private settled(versions: Version[]): Version[] {
    const horizon = this.now() - this.lagMs;
    const current = versions.findLastIndex((version) => version.at <= horizon);
    return versions.slice(Math.max(current, 0));
  }
}

type Clause = (intent: Stripe.PaymentIntent) => boolean;

const CLAUSE =
  /^\s*(-?)(?:metadata\[(['"])(.+?)\2\]|(status|currency|customer|amount|created))\s*(:|>=|<=|>|<)\s*(?:(['"])(.*?)\6|(\d+)|(null))\s*/;

/** Compiles a search query: clauses joined by AND or by OR, but not by both. */
export function compileQuery(query: string): Clause {
  const clauses: Clause[] = [];
  const joints = new Set<string>();
  let rest = query;
  while (rest.trim() !== '') {
    if (clauses.length > 0) {
      const joint = /^(AND|OR)\s+/i.exec(rest);
      joints.add((joint?.[1] ?? 'AND').toUpperCase());
      rest = rest.slice(joint?.[0].length ?? 0);
    }
    const match = CLAUSE.exec(rest);
    if (!match) throw invalidRequest(`We were unable to parse your search query near: ${rest}`, { param: 'query' });
    clauses.push(clauseOf(match));
    rest = rest.slice(match[0].length);
  }
  if (clauses.length === 0) throw invalidRequest('The search query is empty.', { param: 'query' });
  if (joints.size > 1) throw invalidRequest('AND and OR cannot be mixed in a search query.', { param: 'query' });
  return joints.has('OR')
    ? (intent) => clauses.some((clause) => clause(intent))
    : (intent) => clauses.every((clause) => clause(intent));
}

function clauseOf(match: RegExpExecArray): Clause {
  const [, negated, , metadataKey, field, operator = ':', , quoted, number, nothing] = match;
  const read = (intent: Stripe.PaymentIntent): string | number | null => {
    if (metadataKey !== undefined) return intent.metadata[metadataKey] ?? null;
    const value = intent[field as 'status' | 'currency' | 'customer' | 'amount' | 'created'];
    return typeof value === 'object' ? (value?.id ?? null) : value;
  };
  const wanted = nothing === undefined ? (quoted ?? number ?? '') : null;
  const test = (found: string | number | null): boolean => {
    if (operator === ':') return wanted === null ? found === null : String(found ?? '') === wanted;
    const difference = Number(found) - Number(wanted);
    if (operator === '>') return difference > 0;
    if (operator === '<') return difference < 0;
    return operator === '>=' ? difference >= 0 : difference <= 0;
  };
  return (intent) => test(read(intent)) !== (negated === '-');
}
