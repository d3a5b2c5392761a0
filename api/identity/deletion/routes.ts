import { refuse } from '../../../models/errors.js';
import { deletionErrors } from '../../../models/identity/deletion/errors.js';
import { erasureOf, requestDeletion, undoDeletion } from '../../../models/identity/deletion/requestDeletion.js';
import { del, get, post, routes } from '../../http/routes.js';
import { DeletionJson } from './schema.js';
import { identityErrors } from '../../../models/identity/errors.js';

export const deletionRoutes = routes('/api/auth/me/deletion', [
  get(
    '/',
    {
      summary: 'When your account is to be deleted',
      operationId: 'getAccountDeletion',
      access: 'account',
      tags: ['auth'],
      response: DeletionJson,
      errors: [refuse.not_found],
    },
    async ({ actor }) => ({ erases_at: await erasureOf(actor.userId) }),
  ),

  post(
    '/',
    {
      summary: 'Delete your account',
      operationId: 'requestAccountDeletion',
      description:
        'Nothing happens for seven days, in which it can be undone. Then your name is written on your invoices, those ' +
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
      summary: 'Keep your account after all',
      operationId: 'cancelAccountDeletion',
      access: 'account',
      tags: ['auth'],
      errors: [refuse.not_found],
    },
    async ({ actor }) => undoDeletion(actor.userId),
  ),
]);
