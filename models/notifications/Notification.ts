import { link, moment, oneOf, tenantKeys, text, times, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { CATEGORIES, EVENT_TYPES } from './eventTypes.js';

/** A notification for one person. Each event notifies a person at most once (spec: Notifications). */
export class Notification extends defineModel({
  table: 'notifications',
  columns: {
    ...tenantKeys,
    recipient_id: link().serverSet().hidden(),
    event_id: text(200).serverSet().hidden(),
    notification_type: text(100).serverSet().meta({ example: 'invoice_overdue' }),
    event_type: oneOf(EVENT_TYPES).serverSet(),
    category: oneOf(CATEGORIES).serverSet(),
    critical: yesOrNo().serverSet().hidden(),
    title: text(200).serverSet(),
    body: text(500).default('').serverSet(),
    body_without_amounts: text(500).nullable().serverSet().hidden(),
    target_url: text(500)
      .default('/')
      .serverSet()
      .meta({ description: 'A path of the web app.', example: '/invoices/…' }),
    subject_type: text(100).serverSet().hidden(),
    subject_id: link().serverSet().hidden(),
    actor_id: link().nullable().serverSet().hidden(),
    requires_action: yesOrNo().default(false).serverSet(),
    action_label: text(50).nullable().serverSet(),
    needs_access: yesOrNo().default(true).serverSet().hidden(),
    office_of: link().nullable().serverSet().hidden(),
    unlisted_reason: text(50).nullable().serverSet().hidden(),
    read_at: moment().nullable(),
    resolved_at: moment().nullable().hidden(),
    scheduled_for: moment().nullable().meta({ description: 'Quiet hours delay its mail and push until this time.' }),
    created_at: times.created_at,
  },
}) {}
