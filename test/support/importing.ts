/** Imports without workers: a table is uploaded, and the test runs the activities of a step. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { finishImportStep, readImport, takeLines } from '../../activities/organizations/imports.js';
import type { ImportStepInput } from '../../workflows/contracts/importStep.js';
import { asOwner } from './owner.js';

const environment = new MockActivityEnvironment();

interface Upload {
  content: string;
  name?: string;
  token: string;
}

/** Uploads a table. @param url of the API */
export async function uploadImport(url: string, { organizationId }: { organizationId: string }, upload: Upload) {
  const { content, name = 'roster.csv', token } = upload;
  const body = new FormData();
  body.append('file', new Blob([content]), name);
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/organizations/${organizationId}/imports/`, { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Does the work of an import step's process, if there is one: each activity twice. */
export async function workImport(organizationId: string, importId: string): Promise<void> {
  const [row] = await asOwner<{ step: ImportStepInput['step'] | null; runs: number }>(
    'SELECT step, runs FROM bulk_imports WHERE id = $1',
    [importId],
  );
  if (!row?.step) return;
  const input: ImportStepInput = { organizationId, importId, step: row.step, run: String(row.runs) };
  if (row.step === 'read') {
    await environment.run(readImport, input);
    await environment.run(readImport, input);
  } else while (await environment.run(takeLines, input));
  await environment.run(takeLines, input);
  await environment.run(finishImportStep, input);
  await environment.run(finishImportStep, input);
}
