import { notify } from '../notifications/notify.js';
import { notifications } from './notifications.js';

interface Office {
  id: string;
  user_id: string;
  is_active: boolean;
  version: number;
}

/** Notifies the holder of an office when it is reactivated, changed or ended. @param changed the changed columns */
export async function notifyOfficeChange(
  { id, user_id, is_active, version }: Office,
  changed: string[],
): Promise<void> {
  const activityChanged = changed.includes('is_active');
  if (!activityChanged && !(is_active && changed.includes('role'))) return;
  const type = is_active ? notifications.office_changed : notifications.office_ended;
  await notify(type, [id], { to: [user_id], cause: `${type.cause}:${version}` });
}
