/** The faults that can be ordered: every answer that a push gateway may give, and the ways of giving none. */
import { z } from 'zod';
import type { Platform } from './phones.js';

/** An answer in the gateway's own words. `reason` is APNs'; `code` and `details` are those of FCM. */
interface Refusal {
  status: number;
  reason?: string;
  code?: string;
  details?: 'fcm_error' | 'bad_request';
}

/** By kind, what each gateway answers; a kind that a gateway does not have passes it by. */
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

/** No answer, or a late one: before the message arrives, after it has, never, or when it is released. */
const SILENCES = ['drop_before', 'drop_after', 'hang', 'hold', 'goaway'] as const;
/** Of the token endpoint of FCM. */
const OF_TOKENS = ['token_refused', 'token_unavailable'] as const;

type RefusalKind = keyof typeof REFUSALS;
const KINDS = [...(Object.keys(REFUSALS) as RefusalKind[]), ...SILENCES, ...OF_TOKENS];

const Order = z.strictObject({
  kind: z.enum(KINDS, { error: `must be one of ${KINDS.join(', ')}` }),
  /** How often; null: until it is lifted. */
  times: z.int().positive().nullable().default(1),
  platform: z.enum(['ios', 'android']).optional(),
  /** Only for this device. */
  token: z.string().min(1).optional(),
  retry_after_seconds: z.int().positive().optional(),
  /** With `unregistered` of APNs: since when the app has been gone; now, unless it is said. */
  since: z.iso.datetime({ offset: true }).optional(),
});

export type Fault = z.output<typeof Order> & { used: number };

/** The answer that a fault stands for at this gateway. */
export const refusalOf = ({ kind }: Fault, platform: Platform): Refusal | undefined =>
  (REFUSALS as Record<string, Partial<Record<Platform, Refusal>>>)[kind]?.[platform];

export class Faults {
  private inForce: Fault[] = [];
  private readonly held = new Set<() => void>();

  /** @throws z.ZodError */
  order(input: unknown): Fault {
    const fault = { ...Order.parse(input), used: 0 };
    this.inForce.push(fault);
    return fault;
  }

  list(): Fault[] {
    return this.inForce;
  }

  /** The first fault in force that strikes this message, and counts it. */
  strike(platform: Platform, token: string): Fault | undefined {
    return this.use(
      (fault) =>
        (fault.platform ?? platform) === platform &&
        (fault.token ?? token) === token &&
        (refusalOf(fault, platform) !== undefined || SILENCES.some((kind) => kind === fault.kind)),
    );
  }

  strikeToken(): Fault | undefined {
    return this.use(({ kind }) => OF_TOKENS.some((one) => one === kind));
  }

  /** Resolves when held messages are released, or the faults are lifted. */
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
    this.inForce = [];
    this.release();
  }

  private use(fits: (fault: Fault) => boolean): Fault | undefined {
    const fault = this.inForce.find(fits);
    if (!fault) return undefined;
    fault.used += 1;
    if (fault.times !== null && fault.used >= fault.times) this.inForce = this.inForce.filter((one) => one !== fault);
    return fault;
  }
}
