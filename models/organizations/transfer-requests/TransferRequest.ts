import { day, link, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { firstTierColumns, LONGEST_NOTES, requestColumns } from '../requests/columns.js';
import { requestErrors } from '../requests/errors.js';

/** A member, or an officer for them, asks for another chapter (spec: TransferRequest). */
export class TransferRequest extends defineModel({
  table: 'transfer_requests',
  columns: {
    ...tenantKeys,
    membership_id: link().as('membership').kept(),
    chapter_id: link().as('chapter').kept(),
    to_chapter_id: link().as('to_chapter').fixed(),
    effective_on: day().nullable(),
    reason: text(LONGEST_NOTES),
    ...requestColumns(['pending_destination', 'pending_organization']),
    ...firstTierColumns,
    new_membership_id: link()
      .as('new_membership')
      .nullable()
      .kept()
      .meta({ description: 'What came of it: the membership there.' }),
    scheduled_change_id: link()
      .as('scheduled_change')
      .nullable()
      .kept()
      .meta({ description: 'Or the change that makes it on its day.' }),
    ...stamps,
  },
  constraints: {
    transfer_requests_open: requestErrors.request_open,
    transfer_requests_own: requestErrors.own_request,
  },
}) {}
