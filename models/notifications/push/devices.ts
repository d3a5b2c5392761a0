import { PLATFORMS, type Platform } from './PushToken.js';

/**
 * Returns an SQL condition: the user gets pushes of the organization on the phone `token`. All three arguments are SQL
 * expressions.
 */
export const receivesPushes = (token: string, user: string, organization: string): string =>
  `(${token}.user_id = ${user} AND ${token}.is_active
     AND (${token}.confined_to IS NULL OR ${token}.confined_to = ${organization}))`;

/**
 * Returns SQL for a FROM clause with a condition: the phones `d` on which the recipient of notification `n` gets pushes
 * of the notification's organization.
 */
export const devicesOf = (platforms: readonly Platform[] = PLATFORMS): string =>
  `push_tokens d WHERE ${receivesPushes('d', 'n.recipient_id', 'n.organization_id')} AND d.platform = ANY('{${platforms.join(',')}}')`;
