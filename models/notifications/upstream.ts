/**
 * Declares the functions that the area notifications needs from areas that may import it (areas above it).
 * `models/wireAreas.ts` provides them.
 */
import { lateBound } from '../lateBinding.js';

interface NotificationsUpstream {
  /** Records that a mail to a recipient without a user bounced. */
  noteBounce(messageId: string): Promise<void>;
}

export const notificationsUpstream = lateBound<NotificationsUpstream>('notifications');
