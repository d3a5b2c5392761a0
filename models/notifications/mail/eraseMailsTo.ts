import { currentOrganization, rows } from '../../database/rows.js';

/**
 * Deletes the organization's mails to a person without an account, and the suppression of the address. A mail that is
 * being sent loses its claim; the process that sends it finds no claim and reads its own row again.
 */
export const eraseMailsTo = (email: string): Promise<unknown> =>
  rows(
    `WITH mailed AS (DELETE FROM mail_messages WHERE organization_id = $1 AND recipient_id IS NULL AND email = lower($2))
     DELETE FROM mail_suppressions WHERE organization_id = $1 AND user_id IS NULL AND email = lower($2)`,
    [currentOrganization(), email],
  );
