import { rowJson } from '../../../models/database/model/schemas.js';
import { HandOverRequest } from '../../../models/organizations/hand-over-requests/HandOverRequest.js';
import { requestFilters, reviewBody } from '../requests.js';

export const HandOverRequestFilters = requestFilters('hand_over_requests', [
  'pending',
  'approved',
  'rejected',
  'withdrawn',
]);

export const HandOverReview = reviewBody('HandOverReview', {});

export const HandOverRequestJson = rowJson(HandOverRequest);
