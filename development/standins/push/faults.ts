/** Faults that can be injected: every error response of a push gateway, and missing or late responses. */
import { z } from 'zod';
import type { Platform } from './phones.js';

/** An error response of a gateway. APNs uses `reason`; FCM uses `code` and `details`. */
interface Refusal {
  status: number;
  reason?: string;
  code?: string;
  details?: 'fcm_error' | 'bad_request';
}

/**
 * Error responses by kind of fault and gateway. A kind without a response for a gateway does not apply to that gateway.
 */
const REFUSALS = {
  unregistered: {
    ios: { status: 410, reason: 'Unregistered' },
    android: { status: 404, code: 'UNREGISTERED', details: 'fcm_error' },
  },
  bad_token: {
    ios: { status: 400, reason: 'BadDeviceToken' },
    android: { status: 400, code: 'INVALID_ARGUMENT', details: 'fcm_error' },
  },
  not_for_topic: { ios: { status: 400, reason: 'DeviceTokenNotForTopic' } },
  sender_id_mismatch: { android: { status: 403, code: 'SENDER_ID_MISMATCH', details: 'fcm_error' } },
  not_found: { android: { status: 404, code: 'NOT_FOUND' } },
  unauthenticated: {
    ios: { status: 403, reason: 'InvalidProviderToken' },
    android: { status: 401, code: 'UNAUTHENTICATED' },
  },
  forbidden: { ios: { status: 403, reason: 'Forbidden' }, android: { status: 403, code: 'PERMISSION_DENIED' } },
  expired_provider_token: { ios: { status: 403, reason: 'ExpiredProviderToken' } },
  bad_request: {
    ios: { status: 400, reason: 'BadCollapseId' },
    android: { status: 400, code: 'INVALID_ARGUMENT', details: 'bad_request' },
  },
  too_large: {
    ios: { status: 413, reason: 'PayloadTooLarge' },
    android: { status: 413, code: 'INVALID_ARGUMENT' },
  },
  timed_out: { ios: { status: 408, reason: 'RequestTimeout' }, android: { status: 408, code: 'DEADLINE_EXCEEDED' } },
  too_many_requests: {
    ios: { status: 429, reason: 'TooManyRequests' },
    android: { status: 429, code: 'QUOTA_EXCEEDED', details: 'fcm_error' },
  },
  internal_error: { ios: { status: 500, reason: 'InternalServerError' }, android: { status: 500, code: 'INTERNAL' } },
  unavailable: { ios: { status: 503, reason: 'ServiceUnavailable' }, android: { status: 503, code: 'UNAVAILABLE' } },
} as const satisfies Record<string, Partial<Record<Platform, Refusal>>>;

/**
 * Faults that send no error response. The connection drops before or after the message arrives; no response comes; the
 * response waits until it is released; or the server closes the connection with GOAWAY.
 */
const SILENCES = ['drop_before', 'drop_after', 'hang', 'hold', 'goaway'] as const;
/** Faults of FCM's token endpoint. */
const TOKEN_FAULTS = ['token_refused', 'token_unavailable'] as const;

type RefusalKind = keyof typeof REFUSALS;
const KINDS = [...(Object.keys(REFUSALS) as RefusalKind[]), ...SILENCES, ...TOKEN_FAULTS];

const Order = z.strictObject({
  kind: z.enum(KINDS, { error: `must be one of ${KINDS.join(', ')}` }),
  /** Number of messages that the fault applies to; null applies it until it is removed. */
  times: z.int().positive().nullable().default(1),
  platform: z.enum(['ios', 'android']).optional(),
  /** Applies only to this device. */
  token: z.string().min(1).optional(),
  retry_after_seconds: z.int().positive().optional(),
  /** For the fault `unregistered` at APNs: when the app was removed from the phone. The default is now. */
  since: z.iso.datetime({ offset: true }).optional(),
});

export type Fault = z.output<typeof Order> & { used: number };

/** Returns the error response of a fault at this gateway; undefined if the fault has none there. */
export const refusalOf = ({ kind }: Fault, platform: Platform): Refusal | undefined =>
  (REFUSALS as Record<string, Partial<Record<Platform, Refusal>>>)[kind]?.[platform];

export class Faults {
  private active: Fault[] = [];
  private readonly held = new Set<() => void>();

  /**
   * Adds a fault.
   * @throws z.ZodError when the input is invalid
   */
  order(input: unknown): Fault {
    const fault = { ...Order.parse(input), used: 0 };
    this.active.push(fault);
    return fault;
  }

  list(): Fault[] {
    return this.active;
  }

  /** Returns the first active fault for this message, and counts its use. */
  useForMessage(platform: Platform, token: string): Fault | undefined {
    return this.use(
      (fault) =>
        (fault.platform ?? platform) === platform &&
        (fault.token ?? token) === token &&
        (refusalOf(fault, platform) !== undefined || SILENCES.some((kind) => kind === fault.kind)),
    );
  }

  useForTokens(): Fault | undefined {
    return this.use(({ kind }) => TOKEN_FAULTS.some((one) => one === kind));
  }

  /** Keeps a message waiting. Resolves when held messages are released or the faults are removed. */
  hold(): Promise<void> {
    return new Promise((resolve) => this.held.add(resolve));
  }

  get holding(): number {
    return this.held.size;
  }

  release(): number {
    const count = this.held.size;
    for (const go of this.held) go();
    this.held.clear();
    return count;
  }

  lift(): void {
    this.active = [];
    this.release();
  }

  private use(matches: (fault: Fault) => boolean): Fault | undefined {
    const fault = this.active.find(matches);
    if (!fault) return undefined;
    fault.used += 1;
    if (fault.times !== null && fault.used >= fault.times) this.active = this.active.filter((one) => one !== fault);
    return fault;
  }
}
