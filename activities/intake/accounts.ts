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
import { withProvider } from '../../gateways/accounts/providers.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  type AccountTask,
  nextStep,
  type NextStep,
  recordAccountId,
  recordActive,
  recordProblem,
  recordSwitched,
  releaseTakenAddress,
  readTask,
} from '../../models/intake/provisioning/account.js';
import {
  decryptConfig,
  type DecryptedConfig,
  pauseProvider,
  lockConfigVersion,
} from '../../models/intake/provisioning/config.js';
import type { ProvisionAccountInput } from '../../workflows/contracts/provisionAccount.js';

/**
 * Result of a step. Null: the step is complete. A number: retry after at least so many seconds; 0 when the provider
 * named no time.
 */
export type AccountStep = number | null;

/**
 * Reserves an address if the record has none.
 * @returns the next step, read from the rows
 */
export const prepareAccount = ({ organizationId, recordId }: ProvisionAccountInput): Promise<NextStep> =>
  inTenant(organizationId, () => nextStep(recordId));

/**
 * Creates the account. An existing account with our external id belongs to this person; if another account has the
 * address, the next address is tried, because existing accounts are never taken over. Waits for an account that exists
 * but is not visible yet.
 */
export const createAccount = (input: ProvisionAccountInput): Promise<AccountStep> =>
  withProviderSlot(input, async (provider, task, { unit }) => {
    const { id, address } = task;
    if (address === null || task.account_id !== null || task.status !== 'creating') return null;
    const write = writeInTenant(input);
    const accountId = await provider.create({ ...task, externalId: id, address, unit, password: randomPassword() });
    if (accountId !== null) return write(() => recordAccountId(id, accountId));
    const existing = await provider.at(address);
    if (existing === null)
      return task.is_old ? write(() => recordProblem(id, { status: 'needs_attention', problem: 'never_visible' })) : 0;
    return write(() =>
      existing.externalId === id ? recordAccountId(id, existing.id) : releaseTakenAddress(id, address),
    );
  });

/** Adds the account to its groups. The account is then active. */
export const joinGroups = (input: ProvisionAccountInput): Promise<AccountStep> =>
  withProviderSlot(input, async (provider, { id, account_id, address, status }, { groups }) => {
    if (account_id === null || status !== 'creating') return null;
    for (const group of groups) await provider.join(group, { id: account_id, address: address ?? '' });
    return writeInTenant(input)(() => recordActive(id));
  });

/** Suspends or reactivates the account, as the membership requires. */
export const switchAccount = (input: ProvisionAccountInput): Promise<AccountStep> =>
  withProviderSlot(input, async (provider, { id, account_id, status, wants, is_old }) => {
    if (account_id === null || status === wants) return null;
    await provider.setSuspended(account_id, wants === 'suspended').catch((error: unknown) => {
      // No one can sign in to a deleted account, so there is nothing to suspend.
      if (!(error instanceof AccountMissing && wants === 'suspended' && is_old)) throw error;
    });
    return writeInTenant(input)(() => recordSwitched(id, wants));
  });

type ProviderStep = (provider: AccountProvider, task: AccountTask, opened: DecryptedConfig) => Promise<AccountStep>;

const writeInTenant =
  ({ organizationId }: ProvisionAccountInput) =>
  async (work: () => Promise<unknown>): Promise<null> => {
    await inTenant(organizationId, work);
    return null;
  };

/** Returns a random password that is longer than any provider requires. It is stored nowhere. */
const randomPassword = (): string => `${randomBytes(24).toString('base64url')}-Aa1`;

/**
 * Maximum concurrent requests of one organization in this worker, so that a provider that does not answer delays no
 * other organization.
 */
const MAX_CONCURRENT_REQUESTS = 8;
const runningByOrganization = new Map<string, number>();
const RETRY_SECONDS = 1;

async function withProviderSlot(input: ProvisionAccountInput, work: ProviderStep): Promise<AccountStep> {
  const { organizationId: organization } = input;
  const running = runningByOrganization.get(organization) ?? 0;
  if (running >= MAX_CONCURRENT_REQUESTS) return RETRY_SECONDS;
  runningByOrganization.set(organization, running + 1);
  try {
    return await runStep(input, work);
  } finally {
    const remaining = (runningByOrganization.get(organization) ?? 1) - 1;
    if (remaining > 0) runningByOrganization.set(organization, remaining);
    else runningByOrganization.delete(organization);
  }
}

async function runStep(input: ProvisionAccountInput, work: ProviderStep): Promise<AccountStep> {
  const { task, opened } = await inTenant(
    input.organizationId,
    async () => ({ task: await readTask(input.recordId), opened: await decryptConfig() }),
    { readOnly: true },
  );
  // No request is made if the organization has no configuration, or if the configuration names another provider than
  // the account's record. The caller then decides from the stored rows how to go on.
  if (!opened || opened.settings.provider !== task.provider) return null;
  try {
    return await withProvider(opened.settings, (provider) => work(provider, task, opened));
  } catch (error) {
    return afterFailure(input, { task, opened }, error);
  }
}

const HOUR_SECONDS = 3_600;
/** Seconds for which an organization's provider gets no requests after it did not answer or was too busy. */
const PAUSE_SECONDS = { unavailable: 2, busy: 30 } as const;

async function afterFailure(
  input: ProvisionAccountInput,
  { task, opened }: { task: AccountTask; opened: DecryptedConfig },
  error: unknown,
): Promise<AccountStep> {
  const write = writeInTenant(input);
  const markNeedsAttention = (problem: 'credentials_refused' | 'group_missing' | 'account_missing') =>
    recordProblem(task.id, { status: 'needs_attention', problem });
  if (error instanceof CredentialsRefused)
    return write(async () => {
      // If the credentials were replaced in the meantime, a notice about the old ones would be wrong.
      if (!(await lockConfigVersion(opened))) return;
      await markNeedsAttention('credentials_refused');
      await pauseProvider(null);
    });
  if (error instanceof GroupMissing) return write(() => markNeedsAttention('group_missing'));
  if (error instanceof AccountMissing) return task.is_old ? write(() => markNeedsAttention('account_missing')) : 0;
  if (error instanceof ProviderRefused) {
    await write(() => recordProblem(task.id, { status: 'failed', problem: 'refused' }));
    // A person who has left must lose access, so the suspension is retried.
    return task.wants === 'suspended' && task.account_id !== null ? HOUR_SECONDS : null;
  }
  if (error instanceof ProviderBusy && !error.ofAll) return error.retryAfterSeconds ?? 0;
  if (!(error instanceof ProviderBusy || error instanceof ProviderUnavailable)) throw error;
  const seconds =
    error instanceof ProviderBusy ? (error.retryAfterSeconds ?? PAUSE_SECONDS.busy) : PAUSE_SECONDS.unavailable;
  await write(() => pauseProvider(seconds));
  return error instanceof ProviderBusy ? seconds : 0;
}
