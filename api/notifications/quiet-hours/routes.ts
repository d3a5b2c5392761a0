import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { confinementErrors } from '../../../models/identity/confinement.js';
import {
  belongsToOtherOrganization,
  changeQuietHours,
  readQuietHours,
} from '../../../models/notifications/quietHours.js';
import { UserQuietHours } from '../../../models/notifications/UserQuietHours.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { get, put, routes } from '../../http/routes.js';

/**
 * An edit has no defaults, because they apply only when the row is created: fields that are left out stay as they are.
 */
const QuietHoursChange = editBody(UserQuietHours)
  .extend({ timezone: createBody(UserQuietHours).shape.timezone })
  .meta({ id: 'UserQuietHoursEdit' });

const quietHoursPolicy = policy('own quiet hours', { read: [anyone], write: [anyone] });

const shared = {
  access: 'tenant',
  impersonation: 'closed',
  tags: ['notifications'],
  response: rowJson(UserQuietHours),
} as const;

export const quietHoursRoutes = routes('/api/notifications/quiet-hours', [
  get(
    '/',
    {
      ...shared,
      summary: 'Quiet hours of the caller',
      writes: true,
      rule: by(quietHoursPolicy, 'read'),
    },
    async ({ actor }) => {
      authorize(actor, quietHoursPolicy, 'read');
      return readQuietHours(actor.userId);
    },
  ),

  put(
    '/',
    {
      ...shared,
      summary: 'Update the quiet hours',
      description:
        'Fields that are left out stay as they are; the timezone is required. Quiet hours apply in each of the organizations ' +
        'that the caller belongs to. In a session from an identity provider, only a caller who belongs to no other ' +
        'organization may change them.',
      rule: by(quietHoursPolicy, 'write'),
      body: QuietHoursChange,
      errors: [refuse.stale_version, confinementErrors.session_confined],
    },
    async ({ actor, body }) => {
      authorize(actor, quietHoursPolicy, 'write');
      if (actor.facts.auth.is_confined && (await belongsToOtherOrganization(actor.userId)))
        throw confinementErrors.session_confined();
      return changeQuietHours(actor.userId, body);
    },
  ),
]);
