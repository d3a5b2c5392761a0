/** Determines what a request pays for (a remittance or a gift), and whether it would charge a card. */
import { idOf } from '../resources/rows.js';
import { sessionSubject } from '../resources/checkoutSessions.js';
import { subjectOf } from '../resources/intentRow.js';
import type { Call } from '../wire/call.js';
import type { FormMap, FormValue } from '../wire/form.js';
import type { Subject } from '../state/types.js';
import type { Target } from './faults.js';

/** Reads a nested text without validating the request, which is the handler's task. */
function textAt(values: FormMap, ...path: string[]): string | null {
  let node: FormValue | undefined = values;
  for (const segment of path) {
    if (node === undefined || typeof node === 'string' || Array.isArray(node)) return null;
    node = node[segment];
  }
  return typeof node === 'string' ? node : null;
}

const ofIntent = (call: Call, id: string | null): Subject | null => {
  const intent = id === null ? undefined : call.store.get('payment_intent', id);
  return intent ? known(subjectOf(intent.value)) : null;
};

function ofCharge(call: Call, id: string | null): Subject | null {
  const charge = id === null ? undefined : call.store.get('charge', id);
  return charge ? ofIntent(call, idOf(charge.value.payment_intent)) : null;
}

const known = (subject: Subject): Subject | null =>
  subject.remittanceId !== null || subject.donationId !== null ? subject : null;

function subjectOfCall(call: Call): Subject {
  const { values } = call.params;
  const id = call.ids[0] ?? null;
  const session = id === null ? undefined : call.store.get('session', id);
  const refund = id === null ? undefined : call.store.get('refund', id);
  const idInMetadata = (name: string) =>
    textAt(values, 'payment_intent_data', 'metadata', name) ?? textAt(values, 'metadata', name);
  return (
    ofIntent(call, id) ??
    ofCharge(call, id) ??
    ofIntent(call, textAt(values, 'payment_intent')) ??
    ofCharge(call, textAt(values, 'charge')) ??
    (session ? known(sessionSubject(session)) : null) ??
    (refund ? ofIntent(call, idOf(refund.value.payment_intent)) : null) ?? {
      remittanceId: idInMetadata('remittance_id'),
      donationId: idInMetadata('donation_id'),
      pledgeId: idInMetadata('pledge_id'),
    }
  );
}

/** Returns the properties of a request that decide whether a fault applies to it. */
export function targetOf(call: Call, operation: string): Target {
  const confirmed = operation === 'create' && textAt(call.params.values, 'confirm') === 'true';
  return { operation, captures: operation === 'confirm' || confirmed, ...subjectOfCall(call) };
}
