import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { NameAssignment } from '../../../models/intake/name-assignments/NameAssignment.js';
import { requestFilters, reviewBody } from '../../organizations/requests.js';
import { crossingFields } from '../pnm/schema.js';

const confirm_taken = z
  .boolean()
  .default(false)
  .meta({ description: 'Allows a name that another person in the chapter has.' });

export const NameProposal = z
  .strictObject({ ...createBody(NameAssignment).shape, confirm_taken })
  .meta({ id: 'NameProposal' });

export const NameReviewBody = reviewBody('NameReview', { confirm_taken, ...crossingFields });

export const NameAssignmentFilters = requestFilters('pnm_name_assignments', [
  'proposed',
  'approved',
  'rejected',
  'withdrawn',
]);

export const NameAssignmentJson = rowJson(NameAssignment);
