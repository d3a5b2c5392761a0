import { PLATFORMS, type Platform } from './PushToken.js';

/** SQL: the phones `d` on which the recipient of `n` hears of its organization. */
export const devicesOf = (platforms: readonly Platform[] = PLATFORMS): string =>
  `push_tokens d WHERE d.user_id = n.recipient_id AND d.is_active AND d.platform = ANY('{${platforms.join(',')}}')
     AND (d.confined_to IS NULL OR d.confined_to = n.organization_id)`;
