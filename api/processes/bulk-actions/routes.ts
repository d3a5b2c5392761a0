import { z } from 'zod';
import { requireFound, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { requestStop } from '../../../models/processes/bulk-actions/endBulkAction.js';
import {
  listBulkActions,
  listTargets,
  readBulkAction,
} from '../../../models/processes/bulk-actions/readBulkActions.js';
import { startBulkAction } from '../../../models/processes/bulk-actions/startBulkAction.js';
import { processErrors } from '../../../models/processes/errors.js';
import { PROCESS_KINDS } from '../../../workflows/contracts/index.js';
import { pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { by } from '../../http/policy.js';
import { AfterCommit, Answer, get, post, routes } from '../../http/routes.js';
import { workflowIdOf } from '../id.js';
import { processPolicy } from '../policy.js';
import { scopeOf, withTemporal } from '../reach.js';
import { targetPresenter } from './presentTargets.js';
import { listMatching, previewBulkAction, type TenantScope } from './preview.js';
import {
  BulkActionJson,
  BulkActionPage,
  BulkActionPreview,
  BulkActionRequest,
  TargetFilters,
  TargetPage,
} from './schema.js';

const common = { access: 'tenant', tags: ['processes'] } as const;

const tenantScopeOf = (actor: Actor, action: Parameters<typeof scopeOf>[1]): TenantScope => ({
  ...scopeOf(actor, action),
  organizationId: actor.organizationId,
});

/** Returns who sees the kinds of processes that the actor reaches. */
const audiencesOf = ({ kinds }: TenantScope) => [
  ...new Set(PROCESS_KINDS.filter(({ kind }) => kinds?.has(kind) ?? true).map(({ seenBy }) => seenBy)),
];

const readVisible = async (scope: TenantScope, id: string) =>
  requireFound(await readBulkAction(id, audiencesOf(scope)));

export const bulkActionRoutes = routes('/api/processes/bulk-actions', [
  get(
    '/',
    {
      ...common,
      summary: 'List bulk actions on processes, the latest first',
      operationId: 'listProcessBulkActions',
      rule: by(processPolicy, 'read'),
      query: z.object(pageQuery),
      response: BulkActionPage,
    },
    async ({ actor, query, request }) =>
      presentPage(
        await listBulkActions(audiencesOf(tenantScopeOf(actor, 'read')), pageRequest(query)),
        query,
        request,
        (row) => row,
      ),
  ),

  post(
    '/',
    {
      ...common,
      summary: 'Preview a bulk action on processes, or start it as previewed',
      description:
        'With `dry_run` the answer is 200 with a preview. With its `ids` and `preview_hash` the answer is 202 with the bulk action that retries or cancels exactly these processes, or 200 if this preview was confirmed before.',
      operationId: 'startProcessBulkAction',
      rule: by(processPolicy, 'retry', 'cancel'),
      body: BulkActionRequest,
      response: z.union([BulkActionJson, BulkActionPreview]),
      status: 202,
      alsoStatus: [200],
      errors: [refuse.preview_stale, refuse.unavailable],
    },
    async ({ actor, body: { action, dry_run, filter, ids = [], preview_hash, reason } }) => {
      const scope = tenantScopeOf(actor, action);
      if (dry_run || !preview_hash || !reason)
        return new AfterCommit(() =>
          withTemporal(async () => {
            const listed = filter ? await listMatching(scope, filter) : { ids, complete: true };
            const preview = await previewBulkAction(scope, action, listed.ids);
            return new Answer({ ...preview, complete: listed.complete }, { status: 200 });
          }),
        );
      const workflowIds = ids.flatMap((id) => workflowIdOf(id) ?? []);
      // A preview contains no id that is not the id of a process.
      if (workflowIds.length < ids.length) throw refuse.preview_stale();
      const { kinds } = scope;
      const { id, repeated } = await startBulkAction({
        action,
        workflowIds,
        previewHash: preview_hash,
        reason,
        userId: actor.userId,
        kinds,
      });
      return new Answer(await readVisible(scope, id), { status: repeated ? 200 : 202 });
    },
  ),

  get(
    '/:id/',
    {
      ...common,
      summary: 'Get a bulk action on processes, with its totals',
      operationId: 'getProcessBulkAction',
      throttle: ['console'],
      rule: by(processPolicy, 'read'),
      params: RowParams,
      response: BulkActionJson,
    },
    ({ actor, params }) => readVisible(tenantScopeOf(actor, 'read'), params.id),
  ),

  get(
    '/:id/targets/',
    {
      ...common,
      summary: 'List the targets of a bulk action',
      description: 'In the order of the request, each with its outcome.',
      operationId: 'listProcessBulkActionTargets',
      rule: by(processPolicy, 'read'),
      params: RowParams,
      query: TargetFilters,
      response: TargetPage,
    },
    async ({ actor, params, query, request }) => {
      await readVisible(tenantScopeOf(actor, 'read'), params.id);
      const page = await listTargets(params.id, query.outcome, pageRequest(query));
      return presentPage(page, query, request, await targetPresenter(page.results));
    },
  ),

  post(
    '/:id/stop/',
    {
      ...common,
      summary: 'Stop a bulk action on processes',
      description: 'It ends before the next page of targets. Processes already retried or cancelled stay so.',
      operationId: 'stopProcessBulkAction',
      rule: by(processPolicy, 'cancel'),
      params: RowParams,
      response: BulkActionJson,
      errors: [processErrors.bulk_action_finished],
    },
    async ({ actor, params: { id } }) => {
      const scope = tenantScopeOf(actor, 'cancel');
      const { ended_at } = await readVisible(scope, id);
      if (ended_at !== null) throw processErrors.bulk_action_finished();
      await requestStop(id);
      return readVisible(scope, id);
    },
  ),
]);
