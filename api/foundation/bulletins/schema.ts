import { z } from 'zod';
import type { ShownRow } from '../../../models/database/model/read.js';
import { filterFields, rowJson } from '../../../models/database/model/schemas.js';
import { plannedMoment } from '../../../models/fields.js';
import { BulletinRecipient, RECIPIENT_STATUSES } from '../../../models/foundation/bulletins/BulletinRecipient.js';
import { FoundationBulletin } from '../../../models/foundation/bulletins/FoundationBulletin.js';
import { pageQuery } from '../../http/pagination.js';

export const BulletinJson = rowJson(FoundationBulletin);

export const BulletinDetailJson = BulletinJson.extend({
  recipients: z.record(z.enum(RECIPIENT_STATUSES), z.int()).meta({
    description: 'Number of recipients in each status.',
    example: { pending: 0, sent: 41, failed: 1, bounced: 0, skipped: 3 },
  }),
}).meta({ id: 'FoundationBulletinDetail' });

export const BulletinFilters = z.object({ ...pageQuery, ...filterFields(FoundationBulletin, ['status', 'audience']) });

export const ScheduleBody = z.strictObject({ send_at: plannedMoment }).meta({ id: 'FoundationBulletinSchedule' });

export const RetryBody = z
  .strictObject({
    include_unknown: z.boolean().default(false).meta({
      description: 'Also mail recipients with the reason `outcome_unknown`. They may get the bulletin twice.',
    }),
  })
  .meta({ id: 'FoundationBulletinRetry' });

export const RecipientFilters = z.object({ ...pageQuery, ...filterFields(BulletinRecipient, ['status', 'reason']) });

export const RecipientJson = rowJson(BulletinRecipient)
  .extend({
    email: z.string().nullable().meta({ description: 'Null for editors, who see no contact data of donors.' }),
  })
  .meta({ id: 'FoundationBulletinRecipient' });

/** Leaves out the address for people who may not see the contact data of donors. */
export const presentRecipient =
  (seesAddresses: boolean) =>
  (recipient: ShownRow<typeof BulletinRecipient>): z.output<typeof RecipientJson> => ({
    ...recipient,
    email: seesAddresses ? recipient.email : null,
  });
