import { PLATFORMS, type Platform } from './PushToken.js';

/** SQL: whether on phone `token` somebody hears of an organization, each as SQL says it. */
export const hearsOn = (token: string, user: string, organization: string): string =>
  `(${token}.user_id = ${user} AND ${token}.is_active
     AND (${token}.confined_to IS NULL OR ${token}.confined_to = ${organization}))`;

/** SQL: the phones `d` on which the recipient of `n` hears of its organization. */
export const devicesOf = (platforms: readonly Platform[] = PLATFORMS): string =>
  `push_tokens d WHERE ${hearsOn('d', 'n.recipient_id', 'n.organization_id')} AND d.platform = ANY('{${platforms.join(',')}}')`;
