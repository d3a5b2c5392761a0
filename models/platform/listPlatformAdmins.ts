import type { Page, PageRequest } from '../database/page.js';
import { shownEmail } from '../identity/deletion/erased.js';
import { selectUsersPage } from './selectUsersPage.js';

export interface PlatformAdminRow {
  user: string;
  email: string | null;
  first_name: string;
  last_name: string;
  is_disabled: boolean;
}

/** Lists platform admins by address, in one statement. @throws Refusal page_not_found */
export const listPlatformAdmins = (page: PageRequest): Promise<Page<PlatformAdminRow>> =>
  selectUsersPage<PlatformAdminRow>({
    where: 'u.is_platform_admin',
    values: [],
    select: `u.id AS "user", ${shownEmail('u')} AS email, u.first_name, u.last_name, u.disabled_at IS NOT NULL AS is_disabled`,
    ...page,
  });
