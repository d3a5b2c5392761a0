import type { Account } from '../../models/identity/accounts.js';

/** Presents an account. Only these fields, because the row also has a password hash. */
export const presentAccount = (account: Account) => ({
  id: account.id,
  email: account.email,
  first_name: account.first_name,
  last_name: account.last_name,
  is_platform_admin: account.is_platform_admin,
  must_change_password: account.must_change_password,
});
