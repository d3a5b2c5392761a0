/** What is done to many prospective members of a chapter at once. */
import { refuse } from '../../../models/errors.js';
import { moveMany } from '../../../models/intake/pnm/moveMany.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { RowParams } from '../../http/params.js';
import { by } from '../../http/policy.js';
import { post } from '../../http/routes.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { handOf, pnmPolicy } from './policy.js';
import { BulkStageMoveBody, StageOutcomesJson } from './schema.js';

const writes = { access: 'tenant', tags: ['intake'], rule: by(pnmPolicy, 'write'), params: RowParams } as const;

export const lineRoutes = [
  post(
    '/api/chapters/:id/pnm/bulk-transition/',
    {
      ...writes,
      summary: 'Move many prospective members of a chapter to the same stage',
      description: 'Each by itself, as one transition does it: one that is refused keeps back no other.',
      operationId: 'moveProspects',
      body: BulkStageMoveBody,
      response: StageOutcomesJson,
    },
    async ({ actor, params, body: { ids, crossed_at: crossedAt, membership_status: membershipStatus, ...move } }) => {
      await authorizeInChapter(actor, pnmPolicy, 'write', params.id);
      if (!(await chapterExists(params.id))) throw refuse.not_found();
      return moveMany(params.id, ids, { ...move, crossedAt, membershipStatus }, handOf(actor));
    },
  ),
];
