/** Results of calls. A call does not throw because of an answer or a lost connection. */
import type { ErrorCode as ApiErrorCode } from './generated/errorCodes.js';

/** A code of the API, or `no_answer`: no answer of the API arrived. */
export type ErrorCode = ApiErrorCode | 'no_answer';

/** The request was refused, or it was a read that failed. Nothing was changed. */
export interface Refused {
  ok: false;
  kind: 'refused';
  /** 0 when no answer arrived. */
  status: number;
  code: ErrorCode;
  /** A sentence for the user. */
  detail: string;
  /** Messages by field. */
  errors?: Record<string, string[]>;
  requestId: string;
  /** Seconds to wait before you try again. */
  retryAfter?: number;
}

/** It is not known whether the change was made. Read its object before you send it again. */
export interface Unknown {
  ok: false;
  kind: 'unknown';
  requestId?: string;
}

export type Failure = Refused | Unknown;

export type Result<Data> = { ok: true; data: Data } | Failure;

const NO_ANSWER = 'The server did not answer. Check your connection and try again.';
const NOT_OF_THE_API = 'The answer is not one of the API. Try again later.';

const noAnswer = (requestId: string, status = 0): Refused => ({
  ok: false,
  kind: 'refused',
  status,
  code: 'no_answer',
  detail: status === 0 ? NO_ANSWER : NOT_OF_THE_API,
  requestId,
});

/**
 * Describes an answer that is not a success.
 * @param answer undefined when none arrived
 * @param sent the request, and whether it certainly changed nothing
 */
export async function failureOf(answer: Response | undefined, sent: Sent): Promise<Failure> {
  const requestId = answer?.headers.get('X-Request-Id') ?? sent.requestId;
  if (!sent.changesNothing && (answer === undefined || answer.status >= 500))
    return { ok: false, kind: 'unknown', requestId };
  return answer ? refusedBy(answer, requestId) : noAnswer(requestId);
}

export interface Sent {
  requestId: string;
  changesNothing: boolean;
}

async function refusedBy(answer: Response, requestId: string): Promise<Refused> {
  const body = await errorBodyOf(answer);
  if (!body) return noAnswer(requestId, answer.status);
  const retryAfter = retryAfterOf(answer);
  return {
    ok: false,
    kind: 'refused',
    status: answer.status,
    code: body.code,
    detail: body.detail,
    ...(body.errors && { errors: body.errors }),
    requestId,
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

type ErrorBody = Pick<Refused, 'code' | 'detail' | 'errors'>;

/** Returns the error of an answer; undefined for an answer that is not the API's, as a proxy's page. */
export async function errorBodyOf(answer: Response): Promise<ErrorBody | undefined> {
  try {
    const body = (await answer.clone().json()) as ErrorBody | null;
    return typeof body?.code === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Reads `Retry-After` in seconds. */
export function retryAfterOf(answer: Response): number | undefined {
  const text = answer.headers.get('Retry-After');
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}
