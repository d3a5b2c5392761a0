/** Translates the responses of FCM (Firebase: 'FCM error codes'; google.rpc.Status with its details). */
import { z } from 'zod';
import type { Verdict } from './port.js';
import {
  accepted,
  credentialsRefused,
  isTemporary,
  refused,
  retryAfter,
  retryLater,
  unregistered,
  wordOr,
} from './verdicts.js';

export interface FcmAnswer {
  status: number;
  body: unknown;
  retryAfter: string | null;
}

const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';

const SentResponse = z.object({ name: z.string().min(1).max(500) });
const FailedResponse = z.object({
  error: z.object({
    status: z.string().optional(),
    details: z.array(z.looseObject({ '@type': z.string(), errorCode: z.string().optional() })).default([]),
  }),
});

export function fcmVerdict({ status, body, retryAfter: later }: FcmAnswer): Verdict {
  if (status === 200) return accepted(SentResponse.safeParse(body).data?.name ?? null);
  const { error } = FailedResponse.safeParse(body).data ?? { error: { status: undefined, details: [] } };
  const fcmErrorCode = error.details.find((detail) => detail['@type'] === FCM_ERROR)?.errorCode;
  const concernsMessage = error.details.some((detail) => detail['@type'] === BAD_REQUEST);
  const code = wordOr(fcmErrorCode ?? error.status, `http_${status}`);

  // Only these three errors concern the token. Any other 404 concerns our project.
  if (status === 404 && fcmErrorCode === 'UNREGISTERED') return unregistered(code, null);
  if (status === 400 && fcmErrorCode === 'INVALID_ARGUMENT' && !concernsMessage) return unregistered(code, null);
  if (status === 403 && fcmErrorCode === 'SENDER_ID_MISMATCH') return unregistered(code, null);

  if (status === 401 || status === 403 || status === 404) return credentialsRefused(code);
  return isTemporary(status) ? retryLater(code, retryAfter(later)) : refused(code);
}
