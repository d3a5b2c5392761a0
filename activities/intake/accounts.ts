import { randomBytes } from 'node:crypto';
import {
  AccountMissing,
  CredentialsRefused,
  GroupMissing,
  type AccountProvider,
  ProviderBusy,
  ProviderRefused,
  ProviderUnavailable,
} from '../../gateways/accounts/port.js';
import { atProvider } from '../../gateways/accounts/providers.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  type AccountTask,
  nextStep,
  type NextStep,
  noteAccount,
  noteActive,
  noteProblem,
  noteSwitched,
  passAddress,
  readTask,
} from '../../models/intake/provisioning/account.js';
import { openConfig, type Opened, restFor, stands } from '../../models/intake/provisioning/config.js';
import type { ProvisionAccountInput } from '../../workflows/contracts/provisionAccount.js';

/** Null: this step is done. A number: try again after at least so many seconds; 0 when the provider named no time. */
export type AccountStep = number | null;

/** Reserves an address if the record has none. @returns the next step, read from the rows */
export const prepareAccount = ({ organizationId, recordId }: ProvisionAccountInput): Promise<NextStep> =>
  inTenant(organizationId, () => nextStep(recordId));

/**
 * Creates the account. An existing account with our id is ours; any other means that the next address is tried:
 * existing accounts are never taken over. Waits for an account that exists but is not visible yet.
 */
export const createAccount = (input: ProvisionAccountInput): Promise<AccountStep> =>
  atWork(input, async (provider, task, { unit }) => {
    const { id, address } = task;
    if (address === null || task.account_id !== null || task.status !== 'creating') return null;
    const write = writes(input);
    const made = await provider.create({ ...task, externalId: id, address, unit, password: unknownPassword() });
    if (made !== null) return write(() => noteAccount(id, made));
    const there = await provider.at(address);
    if (there === null)
      return task.is_old ? write(() => noteProblem(id, { status: 'needs_attention', problem: 'never_visible' })) : 0;
    return write(() => (there.externalId === id ? noteAccount(id, there.id) : passAddress(id, address)));
  });

/** Adds the account to its groups; the account is then active. */
export const joinGroups = (input: ProvisionAccountInput): Promise<AccountStep> =>
  atWork(input, async (provider, { id, account_id, address, status }, { groups }) => {
    if (account_id === null || status !== 'creating') return null;
    for (const group of groups) await provider.join(group, { id: account_id, address: address ?? '' });
    return writes(input)(() => noteActive(id));
  });

/** Suspends or reactivates the account, as the membership requires. */
export const switchAccount = (input: ProvisionAccountInput): Promise<AccountStep> =>
  atWork(input, async (provider, { id, account_id, status, wants, is_old }) => {
    if (account_id === null || status === wants) return null;
    await provider.setSuspended(account_id, wants === 'suspended').catch((error: unknown) => {
      // Nobody can sign in to a deleted account, so there is nothing to suspend.
      if (!(error instanceof AccountMissing && wants === 'suspended' && is_old)) throw error;
    });
    return writes(input)(() => noteSwitched(id, wants));
  });

type Work = (provider: AccountProvider, task: AccountTask, opened: Opened) => Promise<AccountStep>;

const writes =
  ({ organizationId }: ProvisionAccountInput) =>
  async (work: () => Promise<unknown>): Promise<null> => {
    await inTenant(organizationId, work);
    return null;
  };

/** Random and longer than any provider requires; it is stored nowhere. */
const unknownPassword = (): string => `${randomBytes(24).toString('base64url')}-Aa1`;

/**
 * Concurrent requests of one organization in this worker: a provider that does not answer delays no other
 * organization.
 */
const LANES = 8;
const busy = new Map<string, number>();
const A_MOMENT = 1;

async function atWork(input: ProvisionAccountInput, work: Work): Promise<AccountStep> {
  const { organizationId: organization } = input;
  const lanes = busy.get(organization) ?? 0;
  if (lanes >= LANES) return A_MOMENT;
  busy.set(organization, lanes + 1);
  try {
    return await tried(input, work);
  } finally {
    const left = (busy.get(organization) ?? 1) - 1;
    if (left > 0) busy.set(organization, left);
    else busy.delete(organization);
  }
}

async function tried(input: ProvisionAccountInput, work: Work): Promise<AccountStep> {
  const { task, opened } = await inTenant(
    input.organizationId,
    async () => ({ task: await readTask(input.recordId), opened: await openConfig() }),
    { readOnly: true },
  );
  // The rows decide what happens next.
  if (!opened || opened.settings.provider !== task.provider) return null;
  try {
    return await atProvider(opened.settings, (provider) => work(provider, task, opened));
  } catch (error) {
    return afterFailure(input, { task, opened }, error);
  }
}

const AN_HOUR = 3_600;
/** Seconds for which an organization's provider is left alone after it did not answer or was too busy. */
const REST = { unavailable: 2, busy: 30 } as const;

async function afterFailure(
  input: ProvisionAccountInput,
  { task, opened }: { task: AccountTask; opened: Opened },
  error: unknown,
): Promise<AccountStep> {
  const write = writes(input);
  const attention = (problem: 'credentials_refused' | 'group_missing' | 'account_missing') =>
    noteProblem(task.id, { status: 'needs_attention', problem });
  if (error instanceof CredentialsRefused)
    return write(async () => {
      // The credentials were replaced meanwhile, so a notice about the old ones would be wrong.
      if (!(await stands(opened))) return;
      await attention('credentials_refused');
      await restFor(null);
    });
  if (error instanceof GroupMissing) return write(() => attention('group_missing'));
  if (error instanceof AccountMissing) return task.is_old ? write(() => attention('account_missing')) : 0;
  if (error instanceof ProviderRefused) {
    await write(() => noteProblem(task.id, { status: 'failed', problem: 'refused' }));
    // A person who has left must lose access: the suspension is retried.
    return task.wants === 'suspended' && task.account_id !== null ? AN_HOUR : null;
  }
  if (error instanceof ProviderBusy && !error.ofAll) return error.retryAfterSeconds ?? 0;
  if (!(error instanceof ProviderBusy || error instanceof ProviderUnavailable)) throw error;
  const seconds = error instanceof ProviderBusy ? (error.retryAfterSeconds ?? REST.busy) : REST.unavailable;
  await write(() => restFor(seconds));
  return error instanceof ProviderBusy ? seconds : 0;
}
