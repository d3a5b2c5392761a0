/** The parameters that addresses have. */
import { z } from 'zod';
import { recordId } from '../../models/fields.js';

/** Of addresses under an organization. */
export const OrganizationParams = z.object({ organization_id: recordId });

/** Of one thing under an organization. */
export const OrganizationRowParams = z.object({ organization_id: recordId, id: recordId });

/** Of one thing that is found by its id alone. */
export const RowParams = z.object({ id: recordId });
