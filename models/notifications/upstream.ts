/**
 * Declares the functions that the notifications area needs from the areas above it. Notifications must not import these
 * areas, because they may import notifications; `models/wireAreas.ts` provides the functions.
 */
import { lateBound } from '../lateBinding.js';

interface NotificationsUpstream {
  /** Records that a mail to a recipient without a user bounced. */
  noteBounce(messageId: string): Promise<void>;
}

export const notificationsUpstream = lateBound<NotificationsUpstream>('notifications');
