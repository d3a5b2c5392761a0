import { currentOrganization, rows } from '../../database/rows.js';

/** Deletes the records of mails to a person without a user, for example when their data is erased. */
export async function deleteMails(messageIds: readonly string[]): Promise<void> {
  await rows('DELETE FROM mail_messages WHERE organization_id = $1 AND message_id = ANY($2::text[])', [
    currentOrganization(),
    messageIds,
  ]);
}
