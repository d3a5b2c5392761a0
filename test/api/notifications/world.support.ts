/** Creates notifications as any area could. */
import { uuidv7 } from '../../../models/database/uuid.js';
import { asOwner } from '../../support/owner.js';

interface NewNotification {
  organizationId: string;
  to: string;
  event?: string;
  type?: string;
  action?: string | null;
  actor?: string | null;
  unlisted?: string | null;
}

/** Inserts a notification. @returns its id; later ones have greater ids */
export async function aNotification({
  organizationId,
  to,
  event = 'new_post',
  type = 'something_new',
  action = null,
  actor = null,
  unlisted = null,
}: NewNotification): Promise<string> {
  const subject = uuidv7();
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, body,
       target_url, subject_type, subject_id, actor_id, requires_action, action_label, unlisted_reason)
     VALUES ($1, $2, 'post:' || $3, $4, $5, 'A post', 'Somebody wrote.', '/posts/' || $3, 'post', $3::uuid, $6, $7::text IS NOT NULL, $7, $8)
     RETURNING id`,
    [organizationId, to, subject, type, event, actor, action, unlisted],
  );
  return (row as { id: string }).id;
}
