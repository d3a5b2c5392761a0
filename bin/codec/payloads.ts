/** Payloads in the JSON form of Temporal's HTTP protocol, with bytes in base64. */
import type { Payload } from '@temporalio/common';
import { z } from 'zod';

const bytes = z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

/** Maximum number of payloads per request. A page of a workflow's history has some hundreds. */
const MAX_PAYLOADS = 10_000;

export const PayloadsJson = z.object({
  payloads: z
    .array(z.object({ metadata: z.record(z.string(), bytes).optional(), data: bytes.optional() }))
    .max(MAX_PAYLOADS),
});

type Parsed = z.output<typeof PayloadsJson>['payloads'];

export const fromJson = (payloads: Parsed): Payload[] =>
  payloads.map(({ metadata, data }) => ({ ...(metadata && { metadata }), ...(data && { data }) }));

const base64 = (data: Uint8Array): string => Buffer.from(data).toString('base64');

export const toJson = (payloads: Payload[]) =>
  payloads.map(({ metadata, data }) => ({
    ...(metadata && {
      metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, base64(value)])),
    }),
    ...(data && { data: base64(data) }),
  }));
