import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { RESOLUTION_STATUSES, RESOLUTIONS } from './resolutions.js';

/**
 * An administrator's decision about an unmatched payment, or the refund of a gift. A refund is committed here before the provider is asked for
 * it.
 */
export class CaptureResolution extends defineModel({
  table: 'capture_resolutions',
  columns: {
    ...tenantKeys,
    capture_id: link(),
    resolution: oneOf([...RESOLUTIONS, 'accept'] as const),
    amount_cents: cents(1),
    status: oneOf(RESOLUTION_STATUSES),
    chapter_id: link().nullable(),
    membership_id: link().nullable(),
    note: text(2000),
    gateway_refund_id: text(200).nullable(),
    failure_code: text(100).nullable(),
    requested_by: link().nullable(),
    finished_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}
