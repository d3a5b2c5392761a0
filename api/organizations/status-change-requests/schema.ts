import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { StatusChangeRequest } from '../../../models/organizations/status-change-requests/StatusChangeRequest.js';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { requestFilters, reviewBody } from '../requests.js';

export const StatusChangeRequestFilters = requestFilters('status_change_requests', [
  'pending_officer',
  'pending_organization',
  'approved',
  'rejected',
  'withdrawn',
]);

export const StatusChangeRequestBody = z
  .object({ status: z.enum(MEMBERSHIP_STATUSES), ...createBody(StatusChangeRequest).shape })
  .meta({ id: 'StatusChangeRequestCreate' });

export const StatusChangeReview = reviewBody('StatusChangeReview', {});

export const StatusChangeRequestJson = rowJson(StatusChangeRequest);
