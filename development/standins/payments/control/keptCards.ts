/** Changes what a kept card does when it is charged later, as its bank or its holder would. */
import { z } from 'zod';
import { deleteCustomer } from '../resources/customers.js';
import { idOf, requireRow } from '../resources/rows.js';
import type { Call, Context, Emitted } from '../wire/call.js';
import { invalidRequest } from '../wire/errors.js';
import { asBank } from './disputes.js';

/** The test card that the kept card becomes. */
const TEST_CARDS = {
  good: 'visa',
  declined: 'chargeDeclinedInsufficientFunds',
  stolen: 'chargeDeclinedStolenCard',
  authentication_required: 'authenticationRequired',
} as const;

export const KeptCardOrder = z.strictObject({
  /** A payment with the card, for example the one that kept it. */
  payment_intent: z.string().min(1),
  /** `deleted`: the provider forgets the card and its customer. */
  becomes: z.enum(['good', 'declined', 'stolen', 'authentication_required', 'deleted']),
});

/** Changes a kept card. @throws ApiError */
export async function changeKeptCard(
  { context, dispatch }: { context: Context; dispatch: (emitted: Emitted[]) => void },
  { payment_intent: id, becomes }: z.infer<typeof KeptCardOrder>,
): Promise<{ payment_method: string }> {
  const intent = context.store.get('payment_intent', id);
  const method = idOf(intent?.value.payment_method);
  if (!intent || method === null) throw invalidRequest('There is no such payment, or it has no card.');
  const call = asBank(context, intent.account);
  context.store.transaction(() => change(call, method, becomes));
  await context.store.flush();
  dispatch(call.emitted);
  return { payment_method: method };
}

function change(call: Call, method: string, becomes: z.infer<typeof KeptCardOrder>['becomes']): void {
  const row = requireRow(call, 'payment_method', method);
  const customer = idOf(row.value.customer);
  if (customer === null) throw invalidRequest('This card is not kept.');
  if (becomes === 'deleted') deleteCustomer({ ...call, ids: [customer] });
  else call.store.put('payment_method', method, { ...row, card: TEST_CARDS[becomes] });
}
