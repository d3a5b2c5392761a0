import { processErrors } from '../../models/processes/errors.js';
import { by } from '../http/policy.js';
import { get, post, AfterCommit, routes } from '../http/routes.js';
import { cancelProcess, retryProcess } from './act.js';
import { listProcesses } from './list.js';
import { processPolicy } from './policy.js';
import { processAt, scopeOf, withTemporal } from './reach.js';
import {
  CancelResult,
  OrganizationHeader,
  ProcessFilters,
  ProcessJson,
  ProcessPage,
  ProcessParams,
  RetryResult,
} from './schema.js';
import { presentStory, readStory } from './story.js';

const { process_finished, process_being_cancelled, process_of_platform, process_changed } = processErrors;
const refusals = [process_finished, process_being_cancelled, process_of_platform, process_changed];

// Not `tenant`: platform admins see all organizations' processes, and those that are no organization's.
const common = { access: 'account', tags: ['processes'], headers: OrganizationHeader } as const;

export const processRoutes = routes('/api/processes', [
  get(
    '/',
    {
      ...common,
      summary: 'List processes',
      rule: by(processPolicy, 'read'),
      description:
        "Those that wait for their start, then running ones, then those that ended last. An administrator sees their organization's, a platform admin all, or those of the organization that the header names.",
      query: ProcessFilters,
      response: ProcessPage,
    },
    ({ actor, query, request }) => listProcesses(scopeOf(actor, 'read'), query, request),
  ),

  get(
    '/:id/',
    {
      ...common,
      summary: 'The story of a process',
      rule: by(processPolicy, 'read'),
      params: ProcessParams,
      response: ProcessJson,
    },
    ({ actor, params }) => {
      const find = processAt(scopeOf(actor, 'read'), params.id);
      return Promise.resolve(
        new AfterCommit(() => withTemporal(async () => presentStory(await readStory(await find())))),
      );
    },
  ),

  post(
    '/:id/retry/',
    {
      ...common,
      rule: by(processPolicy, 'retry'),
      summary: 'Try again what a process waits for, or where it ended',
      description: 'The answer says what was seen to happen within a few seconds.',
      operationId: 'retryProcess',
      params: ProcessParams,
      response: RetryResult,
      errors: [...refusals, processErrors.nothing_to_retry],
    },
    ({ actor, params, request }) => {
      const find = processAt(scopeOf(actor, 'retry'), params.id);
      return Promise.resolve(new AfterCommit(() => withTemporal(() => retryProcess(find, actor, request))));
    },
  ),

  post(
    '/:id/cancel/',
    {
      ...common,
      rule: by(processPolicy, 'cancel'),
      summary: 'End a process before its time',
      description: 'Refused from the moment at which money may move. The answer says what was seen to happen.',
      operationId: 'cancelProcess',
      params: ProcessParams,
      response: CancelResult,
      errors: [...refusals, processErrors.process_not_cancellable, processErrors.money_may_have_moved],
    },
    ({ actor, params, request }) => {
      const find = processAt(scopeOf(actor, 'cancel'), params.id);
      return Promise.resolve(new AfterCommit(() => withTemporal(() => cancelProcess(find, actor, request))));
    },
  ),
]);
