import { z } from 'zod';
import { day, link, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel, derived } from '../../database/model/defineModel.js';
import { firstTierColumns, LONGEST_NOTES, requestColumns } from '../requests/columns.js';
import { requestErrors } from '../requests/errors.js';
import { MEMBERSHIP_STATUSES } from '../vocabulary.js';

/** A member asks for another status of their own membership (spec: StatusChangeRequest). */
export class StatusChangeRequest extends defineModel({
  table: 'status_change_requests',
  columns: {
    ...tenantKeys,
    membership_id: link().as('membership').kept(),
    chapter_id: link().as('chapter').kept(),
    from_status: oneOf(MEMBERSHIP_STATUSES)
      .kept()
      .meta({ description: 'The status of the membership when the request was filed.' }),
    to_status: oneOf(MEMBERSHIP_STATUSES).kept().meta({ description: 'What the membership is to become.' }),
    effective_on: day().nullable(),
    reason: text(LONGEST_NOTES),
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
  constraints: {
    status_change_requests_open: requestErrors.request_open,
    status_change_requests_own: requestErrors.own_request,
  },
}) {}
