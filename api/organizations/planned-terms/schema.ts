import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { recordId } from '../../../models/fields.js';
import { PLAN_STATES, PlannedTerm } from '../../../models/organizations/officer-terms/PlannedTerm.js';
import { pageQuery } from '../../http/pagination.js';

export const PlannedTermJson = rowJson(PlannedTerm);

export const PlannedTermFilters = z.object({ ...pageQuery, state: z.enum(PLAN_STATES).optional() });

export const PlannedTermParams = z.object({ id: recordId, planned_term_id: recordId });
