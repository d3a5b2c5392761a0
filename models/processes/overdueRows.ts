/** Finds processes that are stuck although they may run without a time limit: their row is overdue. */
import { recurringPledge } from '../../workflows/contracts/index.js';
import { rows } from '../database/rows.js';
import { inPlatform } from '../database/tenancy.js';

interface ProcessSubject {
  name: string;
  subjectId: string | null;
}

/** Returns the ids of the subjects that are overdue by an hour. */
export async function findOverdueSubjects(processes: readonly ProcessSubject[]): Promise<ReadonlySet<string>> {
  const pledges = processes.flatMap(({ name, subjectId }) =>
    name === recurringPledge.name && subjectId !== null ? [subjectId] : [],
  );
  if (pledges.length === 0) return new Set();
  const overdue = await inPlatform(() => rows<{ id: string }>('SELECT id FROM app.overdue_pledges($1)', [pledges]), {
    readOnly: true,
  });
  return new Set(overdue.map(({ id }) => id));
}

/** Lists the workflow ids of all processes whose row is overdue. Call it in a transaction without a tenant. */
export async function listOverdueProcesses(): Promise<string[]> {
  const overdue = await rows<{ id: string }>('SELECT id FROM app.list_overdue_pledges()');
  return overdue.map(({ id }) => recurringPledge.workflowId({ organizationId: '', pledgeId: id }));
}
