import { audit } from '../../../models/database/audit.js';
import { found, refuse } from '../../../models/errors.js';
import { isKnownHere } from '../../../models/notifications/concernsAnybody.js';
import { explainNotification, explainSubject } from '../../../models/notifications/explain.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { mayReadSubject } from '../../http/readers.js';
import { get, routes } from '../../http/routes.js';
import { explainPolicy } from './policy.js';
import { ExplainQuery, ExplanationJson, ExplanationsJson } from './schema.js';

const shared = { access: 'tenant', tags: ['notifications'] } as const;

export const explainRoutes = routes('/api/notifications', [
  get(
    '/explain/',
    {
      ...shared,
      operationId: 'getExplanationsOfSubject',
      summary: 'Why somebody was or was not told of something',
      description:
        'The caller; for admins, anybody of the organization. It answers for everything that the asker was told of or may read; anything else is a 404.',
      // An admin who looks at somebody else's is on record.
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
        if (!(await isKnownHere(user))) throw refuse.not_found();
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
      summary: 'What became of a notification of the caller, and why',
      rule: by(explainPolicy, 'read'),
      params: RowParams,
      response: ExplanationJson,
    },
    async ({ actor, params }) => {
      authorize(actor, explainPolicy, 'read');
      return found(await explainNotification(actor.userId, params.id));
    },
  ),
]);
