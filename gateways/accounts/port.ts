/** The port to an office suite where members have accounts. */

/** The provider of an organization, with its credentials. */
export type ProviderSettings =
  | { provider: 'workspace_suite'; domain: string; credentials: WorkspaceCredentials }
  | { provider: 'cloud_office'; domain: string; credentials: OfficeCredentials };

/** A service account that may act for an admin of the domain (domain-wide delegation). */
export interface WorkspaceCredentials {
  client_email: string;
  private_key: string;
  /** The address of the admin. */
  delegated_admin: string;
}

/** An application with its own permissions. */
export interface OfficeCredentials {
  tenant_id: string;
  client_id: string;
  client_secret: string;
}

export interface Account {
  /** The provider's own id, which never changes. */
  id: string;
  /** The external id that the creator of the account set; for our accounts the id of our record. */
  externalId: string | null;
}

export interface NewAccount {
  externalId: string;
  address: string;
  first_name: string;
  last_name: string;
  unit: string | null;
  /** A random password that is not stored. The person gets another one and must change it. */
  password: string;
}

export interface AccountProvider {
  /**
   * Returns the account of an address, as far as the provider shows it already.
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
   * The steps of a connection test, in their order.
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
   * @param retryAfterSeconds null: the provider did not say
   * @param ofAll whether the limit applies to all requests of the organization
   */
  constructor(
    code: string,
    readonly retryAfterSeconds: number | null,
    readonly ofAll: boolean,
  ) {
    super(code);
  }
}

/** There was no response, or the result is unknown. */
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
