import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { email, recordId } from '../../../models/fields.js';
import { ACCOUNT_MODES, AccountRequest } from '../../../models/organizations/account-requests/AccountRequest.js';
import { MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { reviewBody } from '../requests.js';

export const SlugParams = z.object({ slug: z.string().max(63) });

export const AccountRequestBody = z
  .object({ ...createBody(AccountRequest).shape, email })
  .meta({ id: 'AccountRequestCreate' });

export const AccountRequestFiledJson = z
  .object({ status: z.literal('unverified'), expires_in: z.int().meta({ description: 'Seconds.' }) })
  .meta({ id: 'AccountRequestAsked' });

export const TokenBody = z.object({ token: z.string().min(1).max(200) });

export const AccountReviewBody = reviewBody('AccountReview', {
  mode: z.enum(ACCOUNT_MODES).optional().meta({
    description:
      'Required to approve. `create`: adds a membership. `link`: adds the address to the account of an existing member.',
  }),
  user: recordId.optional().meta({ description: 'For `link`: the user whose account gets the address.' }),
  chapter: recordId.optional().meta({ description: 'For `create`; defaults to the requested chapter.' }),
  role: z.enum(MEMBERSHIP_ROLES).default('member'),
  status: z.enum(MEMBERSHIP_STATUSES).default('undergrad'),
  confirm_distinct: z
    .boolean()
    .default(false)
    .meta({ description: 'For `create`: confirms that the person differs from members with a similar name.' }),
  confirm_name_mismatch: z
    .boolean()
    .default(false)
    .meta({ description: 'For `link`: confirms the link although the names differ. Requires notes.' }),
});

const AccountRequestJson = rowJson(AccountRequest);

export const AccountRequestDetail = z
  .object({
    ...AccountRequestJson.shape,
    name_matches: z
      .array(
        z
          .object({
            user: z.uuid(),
            membership: z.uuid(),
            chapter: z.uuid(),
            first_name: z.string(),
            last_name: z.string(),
            status: z.enum(MEMBERSHIP_STATUSES),
            likeness: z.number().meta({ description: 'Name similarity from 0 to 1; 1 is the same name.' }),
          })
          .meta({ id: 'NameMatch' }),
      )
      .max(20)
      .meta({
        description: 'While the request is open: members whose name similarity reaches name_check_threshold.',
      }),
  })
  .meta({ id: 'AccountRequestDetail' });
