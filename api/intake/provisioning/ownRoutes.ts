import { refuse } from '../../../models/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { decryptConfig } from '../../../models/intake/provisioning/config.js';
import { readAccountOf, claimPassword } from '../../../models/intake/provisioning/records.js';
import { originOf } from '../../http/origin.js';
import { anyone, authorize, by, policy } from '../../http/policy.js';
import { AfterCommit, Answer, get, post, routes } from '../../http/routes.js';
import { OwnAccountJson, OwnPasswordJson } from './schema.js';
import { setOwnPassword } from './setOwnPassword.js';

/** A member's own account at the provider: only the member reads it or requests a password for it. */
const ownAccountPolicy = policy('own provisioned account', { read: [anyone], ask: [anyone] });

const own = { access: 'tenant', tags: ['intake'], impersonation: 'closed' } as const;

export const ownAccountRoutes = routes('/api/me/provisioned-account', [
  get(
    '/',
    {
      ...own,
      summary: 'Your account at the office suite of this organization',
      operationId: 'getOwnProvisionedAccount',
      rule: by(ownAccountPolicy, 'read'),
      response: OwnAccountJson,
      errors: [refuse.not_found],
    },
    async ({ actor }) => {
      authorize(actor, ownAccountPolicy, 'read');
      const { provider, address, status, password_given_at } = await readAccountOf(actor.userId);
      return { provider, address, status, password_given_at };
    },
  ),

  post(
    '/password/',
    {
      ...own,
      summary: 'Issue a first password for your account, once',
      description:
        'Sets a random password at the provider, which requires another one at the first sign-in. It is not stored: if you lose it, ask ' +
        'the admins of the office suite.',
      operationId: 'requestOwnAccountPassword',
      rule: by(ownAccountPolicy, 'ask'),
      stepUp: 'tenant',
      response: OwnPasswordJson,
      errors: [
        refuse.not_found,
        intakeErrors.account_not_active,
        intakeErrors.password_given,
        intakeErrors.provider_unavailable,
      ],
    },
    async ({ actor, request }) => {
      authorize(actor, ownAccountPolicy, 'ask');
      const account = await readAccountOf(actor.userId);
      const { accountId } = await claimPassword(account);
      const config = await decryptConfig();
      const target = { organizationId: actor.organizationId, recordId: account.id, accountId, opened: config };
      const origin = originOf(request, actor);
      return new AfterCommit(async () => {
        const password = await setOwnPassword(target, account.provider, origin);
        return new Answer({ address: account.address, password }, { headers: { 'Cache-Control': 'no-store' } });
      });
    },
  ),
]);
