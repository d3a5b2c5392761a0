import { currentOrganization, rows } from '../../database/rows.js';
import { writeNotice } from '../../identity/notices/noticePerson.js';
import { notify } from '../../notifications/notify.js';
import type { ROUTED_EVENTS } from '../pnm-config/vocabulary.js';
import { told } from '../notifications.js';
import type { PnmApplication } from './PnmApplication.js';

const TOLD = {
  application_received: told.pnm_application_received,
  application_replaced: told.pnm_application_replaced,
  application_withdrawn: told.pnm_application_withdrawn,
};

/** Tells whom the organization has named for it: people by their roles, and addresses, which learn no name. */
export async function tellOfApplication(
  event: (typeof ROUTED_EVENTS)[number],
  { id, chapter_id }: Pick<PnmApplication, 'id' | 'chapter_id'>,
  versionId: string,
): Promise<void> {
  await notify(TOLD[event], [id], { cause: `${event}:${versionId}` });
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
