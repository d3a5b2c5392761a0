/** Processes as the API shows them, in tests with workers. */
import type { Client } from './api.js';
import { eventually } from './eventually.js';

export interface ProcessList {
  count: number;
  complete: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  results: any[];
}

/**
 * Reads the list of processes until it is as expected: Temporal's lists follow the start, the stages and the end of a process with a
 * delay.
 * @param query for example `subject=<id>` @param satisfied otherwise until the list has a process
 */
export const listProcesses = (
  client: Client,
  query: string,
  satisfied: (list: ProcessList) => boolean = ({ count }) => count > 0,
): Promise<ProcessList> =>
  eventually(async () => (await client.get<ProcessList>(`/api/processes/?${query}`)).body, satisfied);
