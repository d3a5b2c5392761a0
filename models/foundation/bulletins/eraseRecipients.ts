import { currentOrganization, rows } from '../../database/rows.js';
import { deleteMails } from '../../notifications/mail/deleteMails.js';

/**
 * Erases a person from the recipients of bulletins, together with the records of the mails to them. That their address
 * unsubscribed is kept.
 * @returns the number of deleted recipients
 */
export async function eraseRecipients(
  person: { column: 'user_id'; id: string } | { column: 'donor_id'; id: string },
): Promise<number> {
  const erased = await rows<{ message_ids: string[] }>(
    `DELETE FROM foundation_bulletin_recipients r WHERE r.organization_id = $1 AND r.${person.column} = $2
      RETURNING ARRAY(SELECT 'bulletin.' || r.id || '.' || n FROM foundation_bulletins b, generate_series(1, b.round) n
                       WHERE b.organization_id = $1 AND b.id = r.bulletin_id) AS message_ids`,
    [currentOrganization(), person.id],
  );
  await deleteMails(erased.flatMap(({ message_ids }) => message_ids));
  return erased.length;
}
