import { readReminderMails } from '../../../models/finances/reminders/readReminderMails.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { ReminderMailsJson, ReminderQuery } from './schema.js';

const reminderPolicy = policy('reminder', { read: [nationalAdmin] });

export const reminderRoutes = routes('/api/hq/dues/:organization_id/reminders', [
  get(
    '/',
    {
      ...finances,
      summary: 'Delivery of the reminder mails of a day',
      operationId: 'getReminderMails',
      rule: by(reminderPolicy, 'read'),
      params: OrganizationParams,
      query: ReminderQuery,
      response: ReminderMailsJson,
    },
    async ({ actor, query }) => {
      authorize(actor, reminderPolicy, 'read');
      return readReminderMails(query.day ?? null);
    },
  ),
]);
