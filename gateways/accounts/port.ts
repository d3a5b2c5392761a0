/** The port to an office suite where members have accounts. */

/** The provider of an organization, with its credentials. */
export type ProviderSettings =
  | { provider: 'workspace_suite'; domain: string; credentials: WorkspaceCredentials }
  | { provider: 'cloud_office'; domain: string; credentials: OfficeCredentials };

/** A service account that may act for an admin of the domain (domain-wide delegation). */
export interface WorkspaceCredentials {
  client_email: string;
  private_key: string;
  /** Email address of the admin for whom the service account acts. */
  delegated_admin: string;
}

/** Credentials of an application that has permissions of its own. */
export interface OfficeCredentials {
  tenant_id: string;
  client_id: string;
  client_secret: string;
}

export interface Account {
  /** The provider's own id, which never changes. */
  id: string;
  /**
   * The external id that the creator of the account set; for our accounts the id of our record. Null if there is none.
   */
  externalId: string | null;
}

export interface NewAccount {
  externalId: string;
  address: string;
  first_name: string;
  last_name: string;
  unit: string | null;
  /**
   * A random password that is not stored. The member later gets a different password, which must be changed at the
   * first sign-in.
   */
  password: string;
}

export interface AccountProvider {
  /**
   * Returns the account with this address; null if there is none, or if a new account is not visible yet.
   * @throws the errors below
   */
  at(address: string): Promise<Account | null>;
  /**
   * Creates an account.
   * @returns its id; null if the address is taken already
   * @throws ProviderUnavailable if the account may have been created
   * @throws ProviderBusy, CredentialsRefused, ProviderRefused if it was not created
   */
  create(account: NewAccount): Promise<string | null>;
  /**
   * Adds an account to a group. May be repeated.
   * @throws GroupMissing, AccountMissing
   */
  join(group: string, account: { id: string; address: string }): Promise<void>;
  /**
   * Suspends an account, or reactivates it.
   * @throws AccountMissing
   */
  setSuspended(id: string, suspended: boolean): Promise<void>;
  /**
   * Sets a password that must be changed at the next sign-in.
   * @throws AccountMissing
   */
  setPassword(id: string, password: string): Promise<void>;
  /**
   * The first of four steps of a connection test. The next three methods are the other steps, in this order.
   * @throws the errors below
   */
  authenticate(): Promise<void>;
  findDomain(): Promise<void>;
  findUnit(unit: string): Promise<void>;
  findGroup(group: string): Promise<void>;
}

/** A failed request. `code` is one short word of the provider or of ours, never the provider's text. */
export abstract class ProviderFailure extends Error {
  constructor(readonly code: string) {
    super(`The account provider failed: ${code}.`);
  }
}

/** The provider refuses the credentials, or they lack a permission. A retry is useless until they change. */
export class CredentialsRefused extends ProviderFailure {
  override readonly name = 'CredentialsRefused';
}

/** The quota is used up, or a concurrent request changes the same object. Nothing was done; retry later. */
export class ProviderBusy extends ProviderFailure {
  override readonly name = 'ProviderBusy';

  /**
   * @param retryAfterSeconds the waiting time that the provider asked for; null if it named none
   * @param ofAll whether the limit applies to all requests of the organization, not only to this one
   */
  constructor(
    code: string,
    readonly retryAfterSeconds: number | null,
    readonly ofAll: boolean,
  ) {
    super(code);
  }
}

/** The provider did not respond, or the result of the request is unknown. */
export class ProviderUnavailable extends ProviderFailure {
  override readonly name = 'ProviderUnavailable';
}

/** The provider refuses the request permanently. */
export class ProviderRefused extends ProviderFailure {
  override readonly name = 'ProviderRefused';
}

/** The account does not exist, or is not visible yet. */
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
