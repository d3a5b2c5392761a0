/** Returns the path of a process's screen. Its id is the base64url of the workflow id, which is ASCII. */
export const processHref = (workflowId: string): string =>
  `/console/processes/${btoa(workflowId).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
