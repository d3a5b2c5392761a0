/** The addresses to which an organization does not send mail any more. */
import { removeRow } from '../../database/model/change.js';
import { readPage } from '../../database/model/read.js';
import type { PageRequest } from '../../database/page.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { MailSuppression } from './MailSuppression.js';

/** Lists suppressions, newest first. */
export const listSuppressions = (page: PageRequest) =>
  readPage(MailSuppression, { where: {}, orderBy: 'mail_suppressions.id DESC', ...page });

/** Reports whether the organization sends no mail to an address any more. */
export const isSuppressed = async (email: string): Promise<boolean> =>
  (
    await oneRow<{ suppressed: boolean }>(
      `SELECT EXISTS (SELECT FROM mail_suppressions WHERE organization_id = $1 AND email = lower($2)) AS suppressed`,
      [currentOrganization(), email],
    )
  ).suppressed;

/**
 * Removes a suppression. Earlier bounces of the address do not count any more.
 * @throws Refusal not_found
 */
export async function removeSuppression(id: string): Promise<void> {
  const { email } = await removeRow(MailSuppression, id);
  await rows(
    'UPDATE mail_messages SET bounced_at = NULL WHERE organization_id = $1 AND email = $2 AND bounced_at IS NOT NULL',
    [currentOrganization(), email],
  );
}
