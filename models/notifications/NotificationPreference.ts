import { link, oneOf, tenantKeys, times, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { EVENT_TYPES } from './eventTypes.js';
import { notificationErrors } from './errors.js';

/** By which ways somebody hears of an event; without a row as the organization says (spec: Events 6). */
export class NotificationPreference extends defineModel({
  table: 'notification_preferences',
  columns: {
    ...tenantKeys,
    user_id: link().kept().hidden(),
    event_type: oneOf(EVENT_TYPES),
    in_app_enabled: yesOrNo(),
    email_enabled: yesOrNo(),
    push_enabled: yesOrNo(),
    created_at: times.created_at.hidden(),
    updated_at: times.updated_at.hidden(),
  },
  constraints: { notification_preferences_locked: notificationErrors.preference_locked },
}) {}
