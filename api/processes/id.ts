/** A process's id in an address: its workflow id, in letters that need no escaping. */

export const processId = (workflowId: string): string => Buffer.from(workflowId).toString('base64url');

/** @returns the workflow id; null for a text that is the id of none */
export function workflowIdOf(id: string): string | null {
  const workflowId = Buffer.from(id, 'base64url').toString();
  return /^[\x21-\x7e]{1,1000}$/.test(workflowId) && processId(workflowId) === id ? workflowId : null;
}
