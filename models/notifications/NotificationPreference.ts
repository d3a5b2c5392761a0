import { link, oneOf, tenantKeys, times, yesOrNo } from '../database/model/columns.js';
import { defineModel } from '../database/model/defineModel.js';
import { EVENT_TYPES } from './eventTypes.js';
import { notificationErrors } from './errors.js';

/**
 * A person's choice of channels for an event type (spec: Events 6). If a channel is null or there is no row, the
 * organization's default applies; if there is none, the platform's default.
 */
export class NotificationPreference extends defineModel({
  table: 'notification_preferences',
  columns: {
    ...tenantKeys,
    user_id: link().serverSet().hidden(),
    event_type: oneOf(EVENT_TYPES),
    in_app_enabled: yesOrNo().nullable(),
    email_enabled: yesOrNo().nullable(),
    push_enabled: yesOrNo().nullable(),
    created_at: times.created_at.hidden(),
    updated_at: times.updated_at.hidden(),
  },
  constraints: { notification_preferences_locked: notificationErrors.preference_locked },
}) {}
