/** What the platform asks of an office suite where members have accounts, in our words. */

/** How a provider is reached: an organization's own, with what opens it. */
export type ProviderSettings =
  | { provider: 'workspace_suite'; domain: string; credentials: WorkspaceCredentials }
  | { provider: 'cloud_office'; domain: string; credentials: OfficeCredentials };

/** A service account that may act for an admin of the domain. */
export interface WorkspaceCredentials {
  client_email: string;
  private_key: string;
  /** The admin's address. */
  delegated_admin: string;
}

/** An application that may act by itself. */
export interface OfficeCredentials {
  tenant_id: string;
  client_id: string;
  client_secret: string;
}

export interface Account {
  /** The provider's own id, which never changes. */
  id: string;
  /** What whoever made it has called it; ours is the id of our record. */
  externalId: string | null;
}

export interface NewAccount {
  externalId: string;
  address: string;
  first_name: string;
  last_name: string;
  unit: string | null;
  /** Thrown away: the account's person is given another, and has to change it. */
  password: string;
}

export interface AccountProvider {
  /** Whose account an address is, as far as the provider shows it by now. @throws as below */
  at(address: string): Promise<Account | null>;
  /**
   * Makes an account.
   * @returns its id; null when there is something of this address already
   * @throws ProviderUnavailable when it may have been made
   * @throws ProviderBusy, CredentialsRefused, ProviderRefused when it was not made
   */
  create(account: NewAccount): Promise<string | null>;
  /** Puts an account into a group; again changes nothing. @throws GroupMissing, AccountMissing */
  join(group: string, account: { id: string; address: string }): Promise<void>;
  /** Keeps its person out, or lets them in again. @throws AccountMissing */
  setSuspended(id: string, suspended: boolean): Promise<void>;
  /** Sets a password that has to be changed at the next sign-in. @throws AccountMissing */
  setPassword(id: string, password: string): Promise<void>;
  /** The steps of a trial, in their order. @throws as above */
  authenticate(): Promise<void>;
  findDomain(): Promise<void>;
  findUnit(unit: string): Promise<void>;
  findGroup(group: string): Promise<void>;
}

/** What a provider did not do. `code` is one short word of the provider, or of ours; never its text. */
export abstract class ProviderFailure extends Error {
  constructor(readonly code: string) {
    super(`The provider of accounts: ${code}.`);
  }
}

/** It does not take the credentials, or they may not do this: nobody need ask again before they change. */
export class CredentialsRefused extends ProviderFailure {
  override readonly name = 'CredentialsRefused';
}

/** Quota is used up, or another request is under way: later. Nothing was done. */
export class ProviderBusy extends ProviderFailure {
  override readonly name = 'ProviderBusy';

  /** @param retryAfterSeconds null: it did not say @param ofAll whether all of the organization's requests are meant */
  constructor(
    code: string,
    readonly retryAfterSeconds: number | null,
    readonly ofAll: boolean,
  ) {
    super(code);
  }
}

/** There was no answer, or none that says what became of it. */
export class ProviderUnavailable extends ProviderFailure {
  override readonly name = 'ProviderUnavailable';
}

/** It does not do this, however often it is asked. */
export class ProviderRefused extends ProviderFailure {
  override readonly name = 'ProviderRefused';
}

/** The account is not there, or not shown yet. */
export class AccountMissing extends ProviderFailure {
  override readonly name = 'AccountMissing';

  constructor() {
    super('account_missing');
  }
}

export class GroupMissing extends ProviderFailure {
  override readonly name = 'GroupMissing';

  constructor() {
    super('group_missing');
  }
}
