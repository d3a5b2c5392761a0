/** Determines a request's remittance and whether it would charge a card. */
import { idOf } from '../resources/rows.js';
import { sessionRemittance } from '../resources/checkoutSessions.js';
import { remittanceOf } from '../resources/intentRow.js';
import type { Call } from '../wire/call.js';
import type { FormMap, FormValue } from '../wire/form.js';
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

function ofIntent(call: Call, id: string | null): string | null {
  const intent = id === null ? undefined : call.store.get('payment_intent', id);
  return intent ? remittanceOf(intent.value) : null;
}

function ofCharge(call: Call, id: string | null): string | null {
  const charge = id === null ? undefined : call.store.get('charge', id);
  return charge ? ofIntent(call, idOf(charge.value.payment_intent)) : null;
}

function remittanceOfCall(call: Call): string | null {
  const { values } = call.params;
  const id = call.ids[0] ?? null;
  const session = id === null ? undefined : call.store.get('session', id);
  const refund = id === null ? undefined : call.store.get('refund', id);
  return (
    ofIntent(call, id) ??
    ofCharge(call, id) ??
    ofIntent(call, textAt(values, 'payment_intent')) ??
    ofCharge(call, textAt(values, 'charge')) ??
    (session ? sessionRemittance(session) : null) ??
    (refund ? ofIntent(call, idOf(refund.value.payment_intent)) : null) ??
    textAt(values, 'payment_intent_data', 'metadata', 'remittance_id') ??
    textAt(values, 'metadata', 'remittance_id')
  );
}

/** Returns the fault target of a call. */
export function targetOf(call: Call, operation: string): Target {
  const confirmed = operation === 'create' && textAt(call.params.values, 'confirm') === 'true';
  return { operation, captures: operation === 'confirm' || confirmed, remittanceId: remittanceOfCall(call) };
}
