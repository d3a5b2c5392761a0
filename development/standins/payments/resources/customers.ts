/** Customers. */
import type Stripe from 'stripe';
import { newId } from '../state/identifiers.js';
import { ok, seconds, type Call, type Handler } from '../wire/call.js';
import { metadataFrom } from '../wire/metadata.js';
import { emit } from './emit.js';
import { subjectIn } from './intentRow.js';
import { createdFilter, LIST_PARAMETERS, listReply } from './lists.js';
import { detachMethod } from './paymentMethods.js';
import { pathRow } from './rows.js';

const WRITABLE = [
  'address',
  'balance',
  'business_name',
  'description',
  'email',
  'expand',
  'individual_name',
  'invoice_settings',
  'metadata',
  'name',
  'phone',
  'preferred_locales',
  'shipping',
  'tax_exempt',
];

const subjectOf = (customer: Stripe.Customer) => subjectIn(customer.metadata);

/**
 * Returns the value of a text field after a request: unchanged if the request does not contain the field, null if the
 * request empties it.
 */
function text(call: Call, name: string, before: string | null): string | null {
  return call.params.has(name) ? (call.params.string(name) ?? null) : before;
}

type CustomerFields = Partial<Pick<Stripe.Customer, 'description' | 'email' | 'metadata' | 'name' | 'phone'>>;

/** Creates a customer. */
export function putNewCustomer(call: Call, fields: CustomerFields): Stripe.Customer {
  const customer: Stripe.Customer = {
    id: newId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: seconds(call),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: fields.description ?? null,
    discount: null,
    email: fields.email ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: call.livemode,
    metadata: fields.metadata ?? {},
    name: fields.name ?? null,
    phone: fields.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
  call.store.put('customer', customer.id, { account: call.account, value: customer });
  emit(call, 'customer.created', customer, subjectOf(customer));
  return customer;
}

/** POST /v1/customers */
export const createCustomer: Handler = (call) => {
  call.params.only(WRITABLE);
  const [description, email, name, phone] = ['description', 'email', 'name', 'phone'].map(
    (field) => call.params.string(field) ?? null,
  ) as [string | null, string | null, string | null, string | null];
  return ok(
    putNewCustomer(call, {
      description,
      email,
      metadata: metadataFrom(call.params),
      ...(name && { name }),
      ...(phone && { phone }),
    }),
  );
};

/** GET /v1/customers/:id */
export const retrieveCustomer: Handler = (call) => ok(pathRow(call, 'customer').value);

/** POST /v1/customers/:id */
export const updateCustomer: Handler = (call) => {
  call.params.only(WRITABLE);
  const { value } = pathRow(call, 'customer');
  const customer: Stripe.Customer = {
    ...value,
    description: text(call, 'description', value.description),
    email: text(call, 'email', value.email),
    metadata: metadataFrom(call.params, value.metadata),
    name: text(call, 'name', value.name ?? null),
    phone: text(call, 'phone', value.phone ?? null),
  };
  call.store.put('customer', customer.id, { account: call.account, value: customer });
  emit(call, 'customer.updated', customer, subjectOf(customer));
  return ok(customer);
};

/** DELETE /v1/customers/:id */
export const deleteCustomer: Handler = (call) => {
  const { value } = pathRow(call, 'customer');
  for (const row of call.store.all('payment_method'))
    if (row.account === call.account && row.value.customer === value.id) detachMethod(call, row);
  call.store.delete('customer', value.id);
  emit(call, 'customer.deleted', value, subjectOf(value));
  return ok({ id: value.id, object: 'customer', deleted: true });
};

/** GET /v1/customers */
export const listCustomers: Handler = (call) => {
  call.params.only([...LIST_PARAMETERS, 'created', 'email', 'test_clock']);
  const created = createdFilter(call);
  const email = call.params.string('email');
  return listReply(call, '/v1/customers', call.store.all('customer'), (customer) => {
    return created(customer) && (email === undefined || customer.email === email);
  });
};
