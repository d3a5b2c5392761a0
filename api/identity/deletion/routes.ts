import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { deletionErrors } from '../../../models/identity/deletion/errors.js';
import { readErasureTime, requestDeletion, cancelDeletion } from '../../../models/identity/deletion/requestDeletion.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { moment } from '../../../models/fields.js';
import { del, get, post, routes } from '../../http/routes.js';

const DeletionJson = z
  .object({ erases_at: moment.meta({ description: 'Until then the deletion can be cancelled.' }) })
  .meta({ id: 'AccountDeletion' });

export const deletionRoutes = routes('/api/auth/me/deletion', [
  get(
    '/',
    {
      summary: 'Pending deletion of your account',
      operationId: 'getAccountDeletion',
      access: 'account',
      tags: ['auth'],
      response: DeletionJson,
      errors: [refuse.not_found],
    },
    async ({ actor }) => ({ erases_at: await readErasureTime(actor.userId) }),
  ),

  post(
    '/',
    {
      summary: 'Delete your account',
      operationId: 'requestAccountDeletion',
      description:
        'The deletion can be cancelled for seven days. After that your name is copied to your invoices, invoices ' +
        'without a payment are voided, your memberships end, and your personal data is erased.',
      access: 'account',
      stepUp: 'credentials',
      tags: ['auth'],
      response: DeletionJson,
      status: 202,
      errors: [identityErrors.last_admin, deletionErrors.deletion_requested],
    },
    async ({ actor }) => ({ erases_at: await requestDeletion(actor) }),
  ),

  del(
    '/',
    {
      summary: 'Cancel the deletion of your account',
      operationId: 'cancelAccountDeletion',
      access: 'account',
      tags: ['auth'],
      errors: [refuse.not_found],
    },
    async ({ actor }) => cancelDeletion(actor.userId),
  ),
]);
