/** The faults that can be injected, and their validation. */
import { z } from 'zod';
import { OPERATIONS } from '../wire/routes.js';

const times = z.int().positive();
/** Converts ids to text, because callers often pass numbers, and metadata is always text. */
const subject = z.union([z.string().min(1), z.number()]).transform(String);
const operation = z.string().refine((name) => name === 'any' || OPERATIONS.has(name), {
  error: `must be one of any, ${[...OPERATIONS].join(', ')}`,
});
const milliseconds = z.int().min(0).max(3_600_000);

const about = { remittance_id: subject.optional(), donation_id: subject.optional(), pledge_id: subject.optional() };
const onRequests = { times: times.default(1), ...about, operation: operation.optional() };
const onEvents = {
  times: times.nullable().default(null),
  ...about,
  /** Limits the fault to events whose object names this invoice, for example the events of a hosted payment page. */
  invoice_id: z.string().min(1).optional(),
};

const DEFINITIONS = {
  drop_before_capture: z.strictObject({ kind: z.literal('drop_before_capture'), ...onRequests }),
  drop_after_capture: z.strictObject({ kind: z.literal('drop_after_capture'), ...onRequests }),
  hang: z.strictObject({ kind: z.literal('hang'), ...onRequests }),
  hold: z.strictObject({ kind: z.literal('hold'), ...onRequests }),
  hold_after_capture: z.strictObject({ kind: z.literal('hold_after_capture'), ...onRequests }),
  error_before_capture: z.strictObject({ kind: z.literal('error_before_capture'), ...onRequests }),
  error_after_capture: z.strictObject({ kind: z.literal('error_after_capture'), ...onRequests }),
  capture_amount: z.strictObject({
    kind: z.literal('capture_amount'),
    amount_cents: z.int().positive(),
    ...onRequests,
  }),
  duplicate_events: z.strictObject({
    kind: z.literal('duplicate_events'),
    copies: z.int().min(2).max(100).default(2),
    ...onEvents,
  }),
  shuffle_events: z.strictObject({
    kind: z.literal('shuffle_events'),
    seed: z.int().optional(),
    window_ms: milliseconds.default(300),
    ...onEvents,
  }),
  delay_events: z.strictObject({ kind: z.literal('delay_events'), delay_ms: milliseconds, ...onEvents }),
} as const;

export type FaultKind = keyof typeof DEFINITIONS;
export type FaultOrder = z.infer<(typeof DEFINITIONS)[FaultKind]>;

/** Validates a fault. The problem text says what to write instead. */
export function parseFault(input: unknown): { order: FaultOrder } | { problem: string } {
  const kind = typeof input === 'object' && input !== null && 'kind' in input ? String(input.kind) : '';
  if (!Object.hasOwn(DEFINITIONS, kind)) {
    return { problem: `unknown fault kind '${kind}'; known kinds: ${Object.keys(DEFINITIONS).join(', ')}` };
  }
  const parsed = DEFINITIONS[kind as FaultKind].safeParse(input);
  return parsed.success ? { order: parsed.data } : { problem: z.prettifyError(parsed.error) };
}
