/** Path parameters of routes. */
import { z } from 'zod';
import { recordId } from '../../models/fields.js';

/** Parameters of a collection under an organization. */
export const OrganizationParams = z.object({ organization_id: recordId });

/** Parameters of one row under an organization. */
export const OrganizationRowParams = z.object({ organization_id: recordId, id: recordId });

/** Parameters of a row found by its id alone. */
export const RowParams = z.object({ id: recordId });
