import { currentOrganization, rows } from '../../database/rows.js';
import { writeNotice } from '../../identity/notices/enqueueNotice.js';
import { notify } from '../../notifications/notify.js';
import type { ROUTED_EVENTS } from '../pnm-config/vocabulary.js';
import { notifications } from '../notifications.js';
import type { PnmApplication } from './PnmApplication.js';

const NOTIFICATION_BY_EVENT = {
  application_received: notifications.pnm_application_received,
  application_replaced: notifications.pnm_application_replaced,
  application_withdrawn: notifications.pnm_application_withdrawn,
};

/**
 * Notifies the recipients that the organization has configured: people by their roles, and email addresses. Mails to
 * these addresses contain no name.
 */
export async function notifyOfApplication(
  event: (typeof ROUTED_EVENTS)[number],
  { id, chapter_id }: Pick<PnmApplication, 'id' | 'chapter_id'>,
  versionId: string,
): Promise<void> {
  await notify(NOTIFICATION_BY_EVENT[event], [id], { cause: `${event}:${versionId}` });
  const routed = await rows<{ email: string; organization: string; chapter: string }>(
    `SELECT address #>> '{}' AS email, o.name AS organization, c.name AS chapter
       FROM pnm_application_configs f, jsonb_array_elements(f.notification_routing) route,
            jsonb_array_elements(route -> 'addresses') address, organizations o, chapters c
      WHERE f.organization_id = $1 AND route ->> 'event' = $2 AND o.id = $1 AND c.organization_id = $1 AND c.id = $3`,
    [currentOrganization(), event, chapter_id],
  );
  for (const { email, ...facts } of routed)
    await writeNotice({ userId: null, kind: 'application_routed', email, facts });
}
