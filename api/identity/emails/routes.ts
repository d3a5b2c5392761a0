import { addEmail, resendVerification } from '../../../models/identity/emails/addEmail.js';
import { listAddresses, readAddress } from '../../../models/identity/emails/addresses.js';
import { makePrimary, removeEmail } from '../../../models/identity/emails/changeEmails.js';
import { emailErrors } from '../../../models/identity/emails/errors.js';
import { verifyEmail } from '../../../models/identity/emails/verifyEmail.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { del, get, post, routes } from '../../http/routes.js';
import { EmailBody, EmailJson, EmailQuery, VerificationBody } from './schema.js';
import { RowParams } from '../../http/params.js';
import { originOf } from '../../http/origin.js';

const tags = ['auth'];
/** Options of routes that change how an account is accessed. */
const credentialChange = { access: 'account', stepUp: 'credentials', tags } as const;

export const emailRoutes = routes('/api/auth/emails', [
  get(
    '/',
    {
      summary: 'Your e-mail addresses',
      access: 'account',
      tags,
      query: EmailQuery,
      response: pageOf(EmailJson),
    },
    async ({ actor, query, request }) =>
      presentPage(await listAddresses(actor.userId, pageRequest(query)), query, request, (row) => row),
  ),

  post(
    '/',
    {
      summary: 'Add an e-mail address',
      description: 'The address is verified once you open the link that is mailed to it, within 24 hours.',
      ...credentialChange,
      throttle: ['email_verification'],
      body: EmailBody,
      response: EmailJson,
      status: 201,
      errors: [emailErrors.email_exists, emailErrors.email_limit, emailErrors.mailbox_unproven],
    },
    async ({ actor, body }) => readAddress(actor.userId, await addEmail(actor, body.email)),
  ),

  post(
    '/verify/',
    {
      summary: 'Confirm an e-mail address with the token that was mailed to it',
      description:
        'The token is valid for one use. No session is needed, because the mail may be read on another device.',
      operationId: 'verifyEmail',
      access: 'public',
      throttle: ['auth'],
      tags,
      body: VerificationBody,
      errors: [emailErrors.verification_token_invalid, emailErrors.email_taken],
    },
    async ({ body, request }) => verifyEmail(body.token, originOf(request)),
  ),

  post(
    '/:id/resend/',
    {
      summary: 'Resend the verification mail',
      description: 'At most once a minute. The previous link becomes invalid.',
      ...credentialChange,
      throttle: ['email_verification'],
      params: RowParams,
      errors: [emailErrors.email_verified_already],
    },
    async ({ actor, params }) => resendVerification(actor, params.id),
  ),

  post(
    '/:id/make-primary/',
    {
      summary: 'Make an address the primary one',
      ...credentialChange,
      params: RowParams,
      response: EmailJson,
      errors: [emailErrors.email_not_verified, emailErrors.email_taken],
    },
    async ({ actor, params }) => {
      await makePrimary(actor, params.id);
      return readAddress(actor.userId, params.id);
    },
  ),

  del(
    '/:id/',
    {
      summary: 'Remove an e-mail address',
      ...credentialChange,
      params: RowParams,
      errors: [emailErrors.email_is_primary, emailErrors.email_last_verified],
    },
    async ({ actor, params }) => removeEmail(actor, params.id),
  ),
]);
