/** A process's id in URLs: its workflow id in base64url, which needs no escaping. */

export const processId = (workflowId: string): string => Buffer.from(workflowId).toString('base64url');

/** Returns the workflow id, or null for a text that is no process id. */
export function workflowIdOf(id: string): string | null {
  const workflowId = Buffer.from(id, 'base64url').toString();
  return /^[\x21-\x7e]{1,1000}$/.test(workflowId) && processId(workflowId) === id ? workflowId : null;
}
