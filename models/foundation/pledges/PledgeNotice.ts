import { integer, link, moment, oneOf, tenantKeys, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** Kinds of mails to the donor of a pledge. returned: a charge succeeded after the cancellation, and its money goes back. */
export const NOTICE_KINDS = ['started', 'declined', 'cancelled', 'paused', 'resumed', 'returned', 'upcoming'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A mail to the donor of a pledge, which the process of the pledge sends. */
export class PledgeNotice extends defineModel({
  table: 'pledge_notices',
  columns: {
    ...tenantKeys,
    pledge_id: link(),
    kind: oneOf(NOTICE_KINDS),
    period: integer(1, 2_147_483_647).nullable(),
    status: oneOf(['waiting', 'mailed', 'undeliverable'] as const).default('waiting'),
    concluded_at: moment().nullable(),
    created_at: times.created_at,
  },
}) {}
