/**
 * The accounts of seeded organizations at the card gateway. No account can read another's charges or sign its events.
 */
import { blueprints } from './blueprints.js';
import { LARGE, largeSlug } from './large/scale.js';

/** Prefixes of the secrets of all accounts. The name of the organization is appended for each account. */
export interface Secrets {
  secretKey: string;
  webhookSecret: string;
}

export interface CardAccount extends Secrets {
  name: string;
}

/** Returns the account of the organization with this slug. */
export function cardAccountOf(slug: string, { secretKey, webhookSecret }: Secrets): CardAccount {
  const name = slug.replaceAll('-', '_');
  return { name, secretKey: `${secretKey}_${name}`, webhookSecret: `${webhookSecret}_${name}` };
}

/** Returns the account for gifts of the organization with this slug. */
export const giftAccountOf = (slug: string, secrets: Secrets): CardAccount =>
  cardAccountOf(`${slug}-foundation`, secrets);

/** Returns the accounts, for dues and for gifts, of all organizations that the seeds create. */
export const seededCardAccounts = (secrets: Secrets): CardAccount[] =>
  [
    ...blueprints('demo').map(({ slug }) => slug),
    ...Array.from({ length: LARGE.organizations }, (_, n) => largeSlug(n + 1)),
  ].flatMap((slug) => [cardAccountOf(slug, secrets), giftAccountOf(slug, secrets)]);
