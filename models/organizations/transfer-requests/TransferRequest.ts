import { day, link, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { firstTierColumns, MAX_NOTES_LENGTH, requestColumns } from '../requests/columns.js';
import { requestErrors } from '../requests/errors.js';

/** A request to transfer a member to another chapter, by the member or by an officer (spec: TransferRequest). */
export class TransferRequest extends defineModel({
  table: 'transfer_requests',
  columns: {
    ...tenantKeys,
    membership_id: link().as('membership').serverSet(),
    chapter_id: link().as('chapter').serverSet(),
    to_chapter_id: link().as('to_chapter').fixed(),
    effective_on: day().nullable(),
    reason: text(MAX_NOTES_LENGTH),
    ...requestColumns(['pending_destination', 'pending_organization']),
    ...firstTierColumns,
    new_membership_id: link()
      .as('new_membership')
      .nullable()
      .serverSet()
      .meta({ description: 'The membership in the new chapter that the approval created.' }),
    scheduled_change_id: link()
      .as('scheduled_change')
      .nullable()
      .serverSet()
      .meta({ description: 'The scheduled change, if the transfer is for a later day.' }),
    ...stamps,
  },
  constraints: {
    transfer_requests_open: requestErrors.request_open,
    transfer_requests_own: requestErrors.own_request,
  },
}) {}
