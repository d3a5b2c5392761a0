import { link, moment, oneOf, tenantKeys, text, times, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { CATEGORIES, EVENT_TYPES } from './eventTypes.js';

/** What somebody was told: a fact tells each person once (spec: Notifications). */
export class Notification extends defineModel({
  table: 'notifications',
  columns: {
    ...tenantKeys,
    recipient_id: link().kept().hidden(),
    event_id: text(200).kept().hidden(),
    notification_type: text(100).kept().meta({ example: 'invoice_overdue' }),
    event_type: oneOf(EVENT_TYPES).kept(),
    category: oneOf(CATEGORIES).kept(),
    critical: yesOrNo().kept().hidden(),
    title: text(200).kept(),
    body: text(500).default('').kept(),
    body_without_amounts: text(500).nullable().kept().hidden(),
    target_url: text(500).default('/').kept().meta({ description: 'A path of the web app.', example: '/invoices/…' }),
    subject_type: text(100).kept().hidden(),
    subject_id: link().kept().hidden(),
    actor_id: link().nullable().kept().hidden(),
    requires_action: yesOrNo().default(false).kept(),
    action_label: text(50).nullable().kept(),
    needs_access: yesOrNo().default(true).kept().hidden(),
    office_of: link().nullable().kept().hidden(),
    unlisted_reason: text(50).nullable().kept().hidden(),
    read_at: moment().nullable(),
    resolved_at: moment().nullable().hidden(),
    scheduled_for: moment().nullable().meta({ description: 'Until then quiet hours hold its mail and push.' }),
    created_at: times.created_at,
  },
}) {}
