import { audit } from '../../../models/database/audit.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { isKnownToTenant } from '../../../models/notifications/hasAnyRecipient.js';
import { explainNotification, explainSubject } from '../../../models/notifications/explain.js';
import { RowParams } from '../../http/params.js';
import { anyone, authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { mayReadSubject } from '../../http/readers.js';
import { get, routes } from '../../http/routes.js';
import { ExplainQuery, ExplanationJson, ExplanationsJson } from './schema.js';

const explainPolicy = policy('explanation of notifications', { read: [anyone], read_others: [nationalAdmin] });

const shared = { access: 'tenant', tags: ['notifications'] } as const;

export const explainRoutes = routes('/api/notifications', [
  get(
    '/explain/',
    {
      ...shared,
      operationId: 'getExplanationsOfSubject',
      summary: 'Explain why a person was or was not notified',
      description:
        'About the caller; admins may name any person of the organization. Covers every subject of which the caller was notified or that the caller may read; any other subject is a 404.',
      // The route writes: a request of an admin about another person is recorded in the audit log.
      writes: true,
      rule: by(explainPolicy, 'read', 'read_others'),
      query: ExplainQuery,
      response: ExplanationsJson,
    },
    async ({ actor, query: { subject, user = actor.userId } }) => {
      authorize(actor, explainPolicy, 'read');
      const isOther = user !== actor.userId;
      if (isOther) {
        authorize(actor, explainPolicy, 'read_others');
        if (!(await isKnownToTenant(user))) throw refuse.not_found();
      }
      const mayRead = () => mayReadSubject(actor, subject);
      const results = await explainSubject(user, subject, { userId: actor.userId, mayRead });
      if (results.length === 0) throw refuse.not_found();
      if (isOther)
        await audit({
          action: 'notification.explained',
          subjectType: subject.type,
          subjectId: subject.id,
          after: { user_id: user },
        });
      return { results };
    },
  ),

  get(
    '/:id/explain/',
    {
      ...shared,
      operationId: 'getExplanation',
      summary: 'Explain the delivery of a notification of the caller',
      rule: by(explainPolicy, 'read'),
      params: RowParams,
      response: ExplanationJson,
    },
    async ({ actor, params }) => {
      authorize(actor, explainPolicy, 'read');
      return requireFound(await explainNotification(actor.userId, params.id));
    },
  ),
]);
