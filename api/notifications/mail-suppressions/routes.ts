import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { MailSuppression } from '../../../models/notifications/mail/MailSuppression.js';
import { listSuppressions, removeSuppression } from '../../../models/notifications/mail/suppressions.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { del, get, routes } from '../../http/routes.js';

const mailSuppressionPolicy = policy('mail suppressions', { read: [nationalAdmin], write: [nationalAdmin] });

const shared = { access: 'tenant', tags: ['notifications'] } as const;

export const mailSuppressionRoutes = routes('/api/organizations/:organization_id/mail-suppressions', [
  get(
    '/',
    {
      ...shared,
      summary: 'Suppressed mail addresses',
      rule: by(mailSuppressionPolicy, 'read'),
      params: OrganizationParams,
      query: z.object(pageQuery),
      response: pageOf(rowJson(MailSuppression)),
    },
    async ({ actor, query, request }) => {
      authorize(actor, mailSuppressionPolicy, 'read');
      return presentPage(await listSuppressions(pageRequest(query)), query, request, (row) => row);
    },
  ),

  del(
    '/:id/',
    {
      ...shared,
      summary: 'Remove a mail suppression',
      description: 'Mail is sent to the address again. Earlier bounces do not count any more.',
      rule: by(mailSuppressionPolicy, 'write'),
      params: OrganizationRowParams,
    },
    async ({ actor, params }) => {
      authorize(actor, mailSuppressionPolicy, 'write');
      await removeSuppression(params.id);
    },
  ),
]);
