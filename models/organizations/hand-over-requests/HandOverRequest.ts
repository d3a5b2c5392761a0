import { day, link, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { requestColumns } from '../requests/columns.js';
import { requestErrors } from '../requests/errors.js';

/** An officer's request to the admins to hand over an office of the chapter. */
export class HandOverRequest extends defineModel({
  table: 'hand_over_requests',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').serverSet(),
    term_id: link().as('term').serverSet(),
    successor_id: link()
      .as('successor')
      .serverSet()
      .meta({ description: 'The membership that is to take the office.' }),
    effective_on: day().nullable().meta({ description: 'Null: on the day of the approval.' }),
    ends_on: day().nullable().meta({ description: 'When the new term is planned to end.' }),
    ...requestColumns(['pending']),
    ...stamps,
  },
  constraints: {
    hand_over_requests_open: requestErrors.request_open,
    hand_over_requests_own: requestErrors.own_request,
    // Raised by the trigger in keep_waiting_requests.sql.
    hand_over_requests_waits: () =>
      requestErrors.request_open('A hand-over request for this office is pending. Decide it first.'),
  },
}) {}
