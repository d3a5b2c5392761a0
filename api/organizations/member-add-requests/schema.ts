import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { email } from '../../../models/fields.js';
import { MemberAddRequest } from '../../../models/organizations/member-add-requests/MemberAddRequest.js';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { requestFilters, reviewBody } from '../requests.js';

export const MemberAddRequestFilters = requestFilters('member_add_requests', [
  'pending_regional',
  'pending_organization',
  'approved',
  'rejected',
  'withdrawn',
]);

export const MemberAddRequestBody = z
  .object({ ...createBody(MemberAddRequest).shape, email })
  .refine(({ graduation_season, graduation_year }) => !graduation_season || graduation_year, {
    path: ['graduation_season'],
    message: 'A season requires a graduation year.',
  })
  .meta({ id: 'MemberAddRequestCreate' });

export const MemberAddReview = reviewBody('MemberAddReview', {
  status: z.enum(MEMBERSHIP_STATUSES).optional().meta({
    description: 'Status of the new membership. Defaults to undergrad, or to alumni for the role alumni.',
  }),
});

export const MemberAddRequestJson = rowJson(MemberAddRequest);
