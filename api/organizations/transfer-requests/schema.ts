import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { TransferRequest } from '../../../models/organizations/transfer-requests/TransferRequest.js';
import { requestFilters, reviewBody } from '../requests.js';

export const TransferRequestFilters = requestFilters('transfer_requests', [
  'pending_destination',
  'pending_organization',
  'approved',
  'rejected',
  'withdrawn',
]);

export const TransferRequestBody = createBody(TransferRequest);

export const TransferReview = reviewBody('TransferReview', {});

export const TransferRequestJson = rowJson(TransferRequest);
