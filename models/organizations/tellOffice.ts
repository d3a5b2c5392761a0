import { notify } from '../notifications/notify.js';
import { told } from './notifications.js';

interface Office {
  id: string;
  user_id: string;
  is_active: boolean;
  version: number;
}

/** Whoever holds an office is told when it is given again, changed or ended. @param changed the columns that did */
export async function tellOffice({ id, user_id, is_active, version }: Office, changed: string[]): Promise<void> {
  const began = changed.includes('is_active');
  if (!began && !(is_active && changed.includes('role'))) return;
  const type = is_active ? told.office_changed : told.office_ended;
  await notify(type, [id], { to: [user_id], cause: `${type.cause}:${version}` });
}
