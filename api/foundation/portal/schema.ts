import { z } from 'zod';
import { email, recordId } from '../../../models/fields.js';

export const FoundationParams = z.object({ foundation_id: recordId });
/** Tokens of other forms belong to no link. */
export const LinkParams = z.object({ foundation_id: recordId, token: z.string() });
export const OwnReceiptParams = z.object({ foundation_id: recordId, id: recordId });

export const LinkRequestBody = z
  .object({ email: email.meta({ description: 'The address with which the donor gave.' }) })
  .meta({ id: 'DonorLinkRequest' });

/** Links and mail programs add parameters, which are ignored. */
export const IgnoredQuery = z.looseObject({}).transform(() => undefined);

export const ListQuery = z
  .looseObject({ page: z.unknown().optional().meta({ description: 'From 1.', type: 'integer' }) })
  .transform(({ page }) => ({ page: z.coerce.number().int().min(1).max(1_000_000).catch(1).parse(page) }));
