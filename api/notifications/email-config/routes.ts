import { inTenant } from '../../../models/database/tenancy.js';
import { refuse } from '../../../models/errors.js';
import { verifiedPrimary } from '../../../models/identity/emails/addresses.js';
import { notificationErrors } from '../../../models/notifications/errors.js';
import {
  readEmailConfig,
  removeEmailConfig,
  replaceEmailConfig,
} from '../../../models/notifications/settings/emailConfig.js';
import { clearServerFailure } from '../../../models/notifications/settings/mailServer.js';
import { readMailSender } from '../../../models/notifications/settings/readMailSender.js';
import { originOf } from '../../http/origin.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { AfterCommit, del, get, post, put, routes } from '../../http/routes.js';
import { presentEmailConfig } from './present.js';
import { EmailConfigJson, EmailConfigPut, EmailTestJson } from './schema.js';
import { sendTest } from './sendTest.js';

const emailConfigPolicy = policy('email configuration', {
  read: [nationalAdmin],
  write: [nationalAdmin],
  test: [nationalAdmin],
});

const shared = { access: 'tenant', tags: ['notifications'], params: OrganizationParams } as const;

export const emailConfigRoutes = routes('/api/organizations/:organization_id/email-config', [
  get(
    '/',
    {
      ...shared,
      summary: 'Sender and mail server of the organization',
      rule: by(emailConfigPolicy, 'read'),
      response: EmailConfigJson,
    },
    async ({ actor }) => {
      authorize(actor, emailConfigPolicy, 'read');
      return presentEmailConfig(await readEmailConfig());
    },
  ),

  put(
    '/',
    {
      ...shared,
      summary: 'Replace the email configuration',
      description:
        "A field that is left out becomes null; a password stays while its server stays. The server's name must resolve to a public address, and the " +
        'server must encrypt. Mail about accounts is sent by the server of the platform.',
      rule: by(emailConfigPolicy, 'write'),
      stepUp: 'tenant',
      body: EmailConfigPut,
      response: EmailConfigJson,
      errors: [refuse.stale_version, notificationErrors.sender_needs_smtp, notificationErrors.sender_taken],
    },
    async ({ actor, body: { from_name = null, from_email = null, reply_to = null, smtp = null, version } }) => {
      authorize(actor, emailConfigPolicy, 'write');
      const sender = { from_name, from_email, reply_to };
      return presentEmailConfig(await replaceEmailConfig({ sender, smtp, version }));
    },
  ),

  del(
    '/',
    {
      ...shared,
      summary: "Reset to the platform's server and address",
      rule: by(emailConfigPolicy, 'write'),
      stepUp: 'tenant',
    },
    async ({ actor }) => {
      authorize(actor, emailConfigPolicy, 'write');
      await removeEmailConfig();
    },
  ),

  post(
    '/test/',
    {
      ...shared,
      summary: 'Send a test email to yourself',
      description:
        'Goes only to the primary address of the caller. The response says at which step sending failed, without the text of the ' +
        'server. A success clears `failing`.',
      rule: by(emailConfigPolicy, 'test'),
      throttle: ['email_config_test'],
      response: EmailTestJson,
      errors: [notificationErrors.address_not_verified],
    },
    async ({ actor, request }) => {
      authorize(actor, emailConfigPolicy, 'test');
      const to = await verifiedPrimary(actor.userId);
      if (to === null) throw notificationErrors.address_not_verified();
      const sending = await readMailSender();
      const origin = originOf(request, actor);
      return new AfterCommit(async () => {
        const { name } = sending.organization;
        const outcome = await sendTest(sending, to, {
          subject: `A test of the mail of ${name}`,
          text: `The mail server of ${name} works. You requested this test.`,
        });
        if (outcome.failed_step === null && sending.isFailing)
          await inTenant(actor.organizationId, clearServerFailure, { origin });
        return outcome;
      });
    },
  ),
]);
