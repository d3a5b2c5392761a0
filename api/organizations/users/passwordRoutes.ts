import { identityErrors } from '../../../models/identity/errors.js';
import { mailPasswordReset, requireOwnMember } from '../../../models/organizations/users/resetByAdmin.js';
import { setTemporaryPassword } from '../../../models/organizations/users/setTemporaryPassword.js';
import { ownTransaction } from '../../http/dispatch.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { spendOnTarget } from '../../http/throttles/spend.js';
import { AfterCommit, post, routes } from '../../http/routes.js';
import { TemporaryPasswordJson, UserParams } from './schema.js';

const memberPasswordPolicy = policy("member's password", {
  mail_reset: [nationalAdmin],
  set_temporary: [nationalAdmin],
});

const shared = {
  access: 'tenant',
  stepUp: 'tenant',
  throttle: ['admin_password_reset_target', 'default_authenticated'],
  tags: ['organizations'],
  params: UserParams,
} as const;

const { account_protected, account_disabled, account_own, account_elsewhere, invitation_open } = identityErrors;

export const memberPasswordRoutes = routes('/api/organizations/:organization_id/users/:user_id', [
  post(
    '/password-reset/',
    {
      summary: 'Mail a member a link to set a new password',
      rule: by(memberPasswordPolicy, 'mail_reset'),
      description:
        "The link is mailed to the member's own primary address. The password does not change until the link is used.",
      operationId: 'mailMemberPasswordReset',
      ...shared,
      errors: [account_protected, account_disabled, invitation_open],
    },
    async ({ actor, params }) => {
      authorize(actor, memberPasswordPolicy, 'mail_reset');
      await mailPasswordReset(actor, params.user_id);
      await spendOnTarget('admin_password_reset_target', params.user_id);
    },
  ),

  post(
    '/temporary-password/',
    {
      summary: 'Set a temporary password for a member',
      rule: by(memberPasswordPolicy, 'set_temporary'),
      description:
        'Ends all sessions of the member. After signing in with it, the member can only change it. It is valid until `expires_at` (TEMPORARY_PASSWORD_HOURS). Not available for people who also belong to other ' +
        'organizations; mail them a link instead.',
      operationId: 'setMemberTemporaryPassword',
      ...shared,
      response: TemporaryPasswordJson,
      errors: [account_protected, account_disabled, account_own, account_elsewhere, invitation_open],
    },
    async ({ actor, params, request }) => {
      authorize(actor, memberPasswordPolicy, 'set_temporary');
      await requireOwnMember(actor, params.user_id);
      await spendOnTarget('admin_password_reset_target', params.user_id);
      return new AfterCommit(async () => {
        const { password, until } = await setTemporaryPassword(actor, params.user_id, ownTransaction(request, actor));
        return { temporary_password: password, expires_at: until };
      });
    },
  ),
]);
