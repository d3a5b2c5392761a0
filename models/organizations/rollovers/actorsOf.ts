import { currentOrganization, firstRow } from '../../database/rows.js';

/** In whose name a rollover goes on; null where there is none such. */
export const actorsOf = (id: string) =>
  firstRow<{ started_by: string | null; reverted_by: string | null }>(
    'SELECT started_by, reverted_by FROM rollovers WHERE organization_id = $1 AND id = $2',
    [currentOrganization(), id],
  );
