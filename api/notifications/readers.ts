import { NotificationSettings } from '../../models/notifications/settings/NotificationSettings.js';
import { defineReaders, readerOf, rowOf } from '../http/readers.js';
import { notificationSettingsPolicy } from './notification-settings/routes.js';

defineReaders({
  notification_settings: readerOf(notificationSettingsPolicy, 'read', rowOf(NotificationSettings)),
});
