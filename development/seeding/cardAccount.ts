/** The accounts of seeded organizations at the card gateway: none can read another's charges, or sign its events. */
import { blueprints } from './blueprints.js';
import { LARGE, largeSlug } from './large/scale.js';

/** With what the secrets of accounts begin. */
export interface Secrets {
  secretKey: string;
  webhookSecret: string;
}

export interface CardAccount extends Secrets {
  name: string;
}

/** The account of the organization with this slug. */
export function cardAccountOf(slug: string, { secretKey, webhookSecret }: Secrets): CardAccount {
  const name = slug.replaceAll('-', '_');
  return { name, secretKey: `${secretKey}_${name}`, webhookSecret: `${webhookSecret}_${name}` };
}

/** Those of all organizations that seeds make. */
export const seededCardAccounts = (secrets: Secrets): CardAccount[] =>
  [
    ...blueprints('demo').map(({ slug }) => slug),
    ...Array.from({ length: LARGE.organizations }, (_, n) => largeSlug(n + 1)),
  ].map((slug) => cardAccountOf(slug, secrets));
