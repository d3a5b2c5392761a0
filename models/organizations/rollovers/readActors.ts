import { currentOrganization, firstRow } from '../../database/rows.js';

/** Returns who started and who reverted a rollover; null if it does not exist. */
export const readActors = (id: string) =>
  firstRow<{ started_by: string | null; reverted_by: string | null }>(
    'SELECT started_by, reverted_by FROM rollovers WHERE organization_id = $1 AND id = $2',
    [currentOrganization(), id],
  );
