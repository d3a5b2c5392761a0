/** Declares the functions that notifications need from areas above them. `models/wireAreas.ts` binds them. */
import { lateBound } from '../lateBinding.js';

interface NotificationsUpstream {
  /** Notes that a mail to somebody who is no user bounced. */
  noteBounce(messageId: string): Promise<void>;
}

export const notificationsUpstream = lateBound<NotificationsUpstream>('notifications');
