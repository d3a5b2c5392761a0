import { refuse } from '../../../models/errors.js';
import { notificationErrors } from '../../../models/notifications/errors.js';
import { changeSettings, readSettings, type Settings } from '../../../models/notifications/settings/changeSettings.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, patch, routes } from '../../http/routes.js';
import { presentSender, presentServer } from '../email-config/present.js';
import { NotificationSettingsEdit, NotificationSettingsJson } from './schema.js';

export const notificationSettingsPolicy = policy('notification settings', {
  read: [nationalAdmin],
  write: [nationalAdmin],
});

const shared = {
  access: 'tenant',
  tags: ['notifications'],
  params: OrganizationParams,
  response: NotificationSettingsJson,
} as const;

const present = ({ settings, defaults }: Settings) => ({
  sender: presentSender(settings),
  smtp: presentServer(settings),
  push_previews: settings.push_previews,
  ai_scope_notifications: settings.ai_scope_notifications,
  defaults,
  version: settings.version,
});

export const notificationSettingsRoutes = routes('/api/organizations/:organization_id/notification-settings', [
  get(
    '/',
    { ...shared, summary: 'Notification settings of the organization', rule: by(notificationSettingsPolicy, 'read') },
    async ({ actor }) => {
      authorize(actor, notificationSettingsPolicy, 'read');
      return present(await readSettings());
    },
  ),

  patch(
    '/',
    {
      ...shared,
      summary: 'Update the sender, the mail server, push previews and default channels',
      description: "The server's name must resolve to a public address, and the server must encrypt.",
      rule: by(notificationSettingsPolicy, 'write'),
      stepUp: 'tenant',
      body: NotificationSettingsEdit,
      errors: [
        refuse.stale_version,
        notificationErrors.sender_needs_smtp,
        notificationErrors.sender_taken,
        notificationErrors.preference_locked,
      ],
    },
    async ({ actor, body }) => {
      authorize(actor, notificationSettingsPolicy, 'write');
      return present(await changeSettings(body));
    },
  ),
]);
