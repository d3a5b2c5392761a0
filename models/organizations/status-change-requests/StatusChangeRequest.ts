import { z } from 'zod';
import { day, link, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { firstTierColumns, MAX_NOTES_LENGTH, requestColumns } from '../requests/columns.js';
import { requestErrors } from '../requests/errors.js';
import { MEMBERSHIP_STATUSES } from '../vocabulary.js';

/** A member's request to change the status of their own membership (spec: StatusChangeRequest). */
export class StatusChangeRequest extends defineModel({
  table: 'status_change_requests',
  columns: {
    ...tenantKeys,
    membership_id: link().as('membership').serverSet(),
    chapter_id: link().as('chapter').serverSet(),
    from_status: oneOf(MEMBERSHIP_STATUSES)
      .serverSet()
      .meta({ description: 'The status of the membership when the request was filed.' }),
    to_status: oneOf(MEMBERSHIP_STATUSES).serverSet().meta({ description: 'The requested status.' }),
    effective_on: day().nullable(),
    reason: text(MAX_NOTES_LENGTH),
    document_id: link()
      .as('document')
      .nullable()
      .meta({ description: 'A file of your own that you have uploaded as a `request_document`.' }),
    ...requestColumns(['pending_officer', 'pending_organization']),
    ...firstTierColumns,
    ...stamps,
  },
  derived: {
    current_status: derived(
      z.enum(MEMBERSHIP_STATUSES).meta({
        description:
          'The present status of the membership. It differs from `from_status` where the status changed since.',
      }),
      `(SELECT m.status FROM memberships m
         WHERE m.organization_id = status_change_requests.organization_id AND m.id = status_change_requests.membership_id)`,
    ),
  },
  triggers: {
    status_change_requests_withdrawn: ['stored_files'],
  },
  constraints: {
    status_change_requests_open: requestErrors.request_open,
    status_change_requests_own: requestErrors.own_request,
  },
}) {}
