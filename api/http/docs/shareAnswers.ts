/** Moves repeated responses to shared components. Then the document is a third as long, and tools read it faster. */
import { createHash } from 'node:crypto';
import type { oas31 } from 'zod-openapi';

type Answers = Record<string, oas31.ResponseObject | oas31.ReferenceObject>;

/** Moves error responses, and the headers of successes, to the document's components, and refers to them. */
export function shareAnswers(document: oas31.OpenAPIObject): void {
  const responses: Answers = {};
  const headers: Record<string, oas31.HeaderObject> = {};
  for (const item of Object.values(document.paths ?? {})) {
    for (const { responses: answers = {} } of Object.values(item) as oas31.OperationObject[]) {
      for (const [status, answer] of Object.entries<oas31.ResponseObject>(answers)) {
        if (/^[45]/.test(status)) (answers as Answers)[status] = shared(responses, nameOf(status, answer), answer);
        else shareHeaders(answer, headers);
      }
    }
  }
  Object.assign((document.components ??= {}), { responses, headers });
}

/** Names components by content, so that a new operation does not rename others. */
function nameOf(status: string, answer: oas31.ResponseObject): string {
  const digest = createHash('sha256').update(JSON.stringify(answer)).digest('hex');
  return `Refused${status}-${digest.slice(0, 8)}`;
}

function shared(responses: Answers, name: string, answer: oas31.ResponseObject): oas31.ReferenceObject {
  responses[name] = answer;
  return { $ref: `#/components/responses/${name}` };
}

function shareHeaders({ headers: own = {} }: oas31.ResponseObject, headers: Record<string, oas31.HeaderObject>): void {
  const name = 'X-Request-Id';
  if (!own[name]) return;
  headers[name] = own[name] as oas31.HeaderObject;
  own[name] = { $ref: `#/components/headers/${name}` };
}
