import { z } from 'zod';
import type { TargetRow } from '../../../models/processes/bulk-actions/readBulkActions.js';
import { readLabels } from '../../../models/processes/labels.js';
import { factsByWorkflowId } from '../../../workflows/contracts/index.js';
import { processId } from '../id.js';

const isUuid = (text: string | undefined): text is string => z.uuid().safeParse(text).success;

/** Reads the labels of targets. Returns the function that presents one of them. */
export async function targetPresenter(targets: readonly TargetRow[]) {
  const labels = await readLabels(targets.flatMap(({ workflow_id }) => labelledProcess(workflow_id)));
  return ({ workflow_id, refusal_code, ...target }: TargetRow) => {
    const facts = factsByWorkflowId(workflow_id);
    return {
      id: processId(workflow_id),
      workflow_id,
      kind: facts?.kind ?? null,
      label: labels.get(workflow_id) ?? facts?.summary ?? null,
      ...target,
      code: refusal_code,
    };
  };
}

/** Most workflow ids have the id of their subject after the prefix of their kind. Others get no label of their own. */
function labelledProcess(workflowId: string) {
  const facts = factsByWorkflowId(workflowId);
  const [, subjectId] = workflowId.split('/');
  return facts && isUuid(subjectId) ? [{ workflowId, kind: facts.kind, subjectId }] : [];
}
