/** What an administrator asks of a process: permitted by its story, written down, carried out, and looked at. */
import { inTenantIfAny } from '../../models/database/tenancy.js';
import type { Actor } from '../../models/identity/Actor.js';
import { auditInOrganization } from '../../models/identity/auditInOrganization.js';
import { log } from '../../models/log.js';
import { beforeCancel, cancelWaiting } from '../../models/processes/cancelling.js';
import { processErrors } from '../../models/processes/errors.js';
import type { RequestFacts } from '../http/routes.js';
import { mayCancel, mayRetry, type Verdict } from './actions.js';
import { CANCEL_WORDS, type CancelOutcome, cancelRunning } from './cancel.js';
import { presentProcess } from './present.js';
import type { Process } from './reach.js';
import { retry, RETRY_WORDS } from './retry.js';
import { presentStory, readStory, type Story } from './story.js';
import { originOf } from '../http/origin.js';

type Find = () => Promise<Process>;

/** @throws Refusal with the reason why it cannot be retried now */
export async function retryProcess(find: Find, actor: Actor, request: RequestFacts) {
  const story = await readStory(await find());
  permit(mayRetry(story.process));
  await record(story.process, 'process.retry_requested', actor, request);
  const outcome = await retry(story, request.id);
  return { outcome, detail: RETRY_WORDS[outcome], process: await presentStory(await readStory(await find())) };
}

/** @throws Refusal with the reason why it cannot be cancelled now */
export async function cancelProcess(find: Find, actor: Actor, request: RequestFacts) {
  const story = await readStory(await find());
  permit(mayCancel(story.process, story.moved));
  await record(story.process, 'process.cancel_requested', actor, request, () => cancelInRows(story));
  const outcome = await cancelInTemporal(await find());
  return { outcome, detail: CANCEL_WORDS[outcome], process: await presentStory(await readStory(await find())) };
}

function permit(verdict: Verdict): void {
  if (!verdict.safe) throw verdict.refusal(verdict.reason);
}

/** Writes down who asked for what, in one transaction with what it means to the rows; of no organization's, in the log. */
async function record(
  process: Process,
  action: string,
  actor: Actor,
  request: RequestFacts,
  work: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { organization, workflow_id, kind, subject } = presentProcess(process);
  const origin = originOf(request, actor);
  const about = { subjectType: subject?.type ?? 'process', subjectId: subject?.id ?? null };
  await inTenantIfAny(
    organization,
    async () => {
      await work();
      await auditInOrganization({ action, ...about, after: { workflow_id, kind } });
    },
    { origin },
  );
  if (organization !== null) return;
  const { userId } = actor;
  log.info({ userId, requestId: request.id, process: process.facts.name, workflowId: workflow_id }, action);
}

async function cancelInRows({ process: { facts, waiting }, history }: Story): Promise<void> {
  if (!waiting) return beforeCancel(facts.name, history?.input ?? null);
  if (!(await cancelWaiting(waiting))) throw processErrors.process_changed();
}

/** What was never started is cancelled with its rows, unless somebody was just starting it. */
async function cancelInTemporal({ execution, facts: { cancel } }: Process): Promise<CancelOutcome> {
  if (!execution) return 'cancelled';
  return cancelRunning(execution, cancel);
}
