import { day, link, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { requestColumns } from '../requests/columns.js';
import { requestErrors } from '../requests/errors.js';

/** An officer asks the admins to hand an office of the chapter over. */
export class HandOverRequest extends defineModel({
  table: 'hand_over_requests',
  columns: {
    ...tenantKeys,
    chapter_id: link().as('chapter').kept(),
    term_id: link().as('term').kept(),
    successor_id: link().as('successor').kept().meta({ description: 'The membership that is to take the office.' }),
    effective_on: day().nullable().meta({ description: 'Null: on the day of the approval.' }),
    ends_on: day().nullable().meta({ description: 'When the new term is planned to end.' }),
    ...requestColumns(['pending']),
    ...stamps,
  },
  constraints: {
    hand_over_requests_open: requestErrors.request_open,
    hand_over_requests_own: requestErrors.own_request,
    // keep_waiting_requests.sql
    hand_over_requests_waits: () => requestErrors.request_open('This office is to be handed over: decide that first.'),
  },
}) {}
