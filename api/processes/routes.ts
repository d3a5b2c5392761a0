import type { Actor } from '../../models/identity/Actor.js';
import { processErrors } from '../../models/processes/errors.js';
import { cancelProcess, retryProcess } from '../../services/processes/act.js';
import { CANCEL_DETAILS } from '../../services/processes/cancel.js';
import { readDetails } from '../../services/processes/details.js';
import type { Process } from '../../services/processes/findProcess.js';
import { RETRY_DETAILS } from '../../services/processes/retry.js';
import { originOf } from '../http/origin.js';
import './readers.js';
import { by } from '../http/policy.js';
import { get, post, AfterCommit, routes } from '../http/routes.js';
import { listProcesses } from './list.js';
import { processPolicy } from './policy.js';
import { presentDetails } from './presentDetails.js';
import { processAt, scopeOf, withTemporal } from './reach.js';
import {
  CancelResult,
  OrganizationHeader,
  ProcessAction,
  ProcessFilters,
  ProcessJson,
  ProcessPage,
  ProcessParams,
  RetryResult,
} from './schema.js';

const { process_finished, process_being_cancelled, process_of_platform, process_changed } = processErrors;
const refusals = [process_finished, process_being_cancelled, process_of_platform, process_changed];

// The access is not `tenant`: platform admins see the processes of all organizations and those without an organization.
const common = { access: 'account', tags: ['processes'], headers: OrganizationHeader } as const;

const describe = async (find: () => Promise<Process>, actor: Actor) =>
  presentDetails(await readDetails(await find()), actor);

export const processRoutes = routes('/api/processes', [
  get(
    '/',
    {
      ...common,
      summary: 'List processes',
      rule: by(processPolicy, 'read'),
      description:
        'Lists processes that wait for their start, then running processes, then ended processes, the latest first. With `stuck=true`, the process that has been stuck for longest comes first. An administrator sees the processes of their organization, an admin of the foundation those of the foundation. A platform admin sees all processes, or those of the organization named in the header.',
      throttle: ['console'],
      query: ProcessFilters,
      response: ProcessPage,
    },
    ({ actor, query, request }) => listProcesses(scopeOf(actor, 'read'), query, request, actor),
  ),

  get(
    '/:id/',
    {
      ...common,
      summary: 'Get a process with its history',
      throttle: ['console'],
      rule: by(processPolicy, 'read'),
      params: ProcessParams,
      response: ProcessJson,
    },
    ({ actor, params }) => {
      const find = processAt(scopeOf(actor, 'read'), params.id);
      return Promise.resolve(new AfterCommit(() => withTemporal(() => describe(find, actor))));
    },
  ),

  post(
    '/:id/retry/',
    {
      ...common,
      rule: by(processPolicy, 'retry'),
      summary: 'Retry a process',
      description:
        'Retries the pending step, the step at which the process failed, or its start. The response says what was observed within a few seconds.',
      operationId: 'retryProcess',
      params: ProcessParams,
      body: ProcessAction,
      response: RetryResult,
      errors: [...refusals, processErrors.nothing_to_retry],
    },
    ({ actor, params, body, request }) => {
      const find = processAt(scopeOf(actor, 'retry'), params.id);
      return Promise.resolve(
        new AfterCommit(() =>
          withTemporal(async () => {
            const outcome = await retryProcess(find, {
              origin: originOf(request, actor),
              reason: body.reason ?? null,
            });
            return { outcome, detail: RETRY_DETAILS[outcome], process: await describe(find, actor) };
          }),
        ),
      );
    },
  ),

  post(
    '/:id/cancel/',
    {
      ...common,
      rule: by(processPolicy, 'cancel'),
      summary: 'Cancel a process',
      description: 'Refused once money may have moved. The response says what was observed within a few seconds.',
      operationId: 'cancelProcess',
      params: ProcessParams,
      body: ProcessAction,
      response: CancelResult,
      errors: [...refusals, processErrors.process_not_cancellable, processErrors.money_may_have_moved],
    },
    ({ actor, params, body, request }) => {
      const find = processAt(scopeOf(actor, 'cancel'), params.id);
      return Promise.resolve(
        new AfterCommit(() =>
          withTemporal(async () => {
            const outcome = await cancelProcess(find, {
              origin: originOf(request, actor),
              reason: body.reason ?? null,
            });
            return { outcome, detail: CANCEL_DETAILS[outcome], process: await describe(find, actor) };
          }),
        ),
      );
    },
  ),
]);
