import { z } from 'zod';
import { restoreTokenField } from '../impersonation/restoreCookie.js';
import { AccountOrganizationJson, organizationField, refreshTokenField, tokenFields } from '../schema.js';

export const RefreshBody = z.object({ ...refreshTokenField, ...restoreTokenField }).meta({ id: 'TokenRefresh' });
export const LogoutBody = z.object({ ...refreshTokenField, ...restoreTokenField }).meta({ id: 'Logout' });
export const SwitchBody = z.object({ organization: organizationField }).meta({ id: 'OrganizationSwitch' });

export const TokensJson = z
  .object(tokenFields)
  .meta({ id: 'Tokens', description: 'Empty for browsers, which get the tokens as cookies.' });

export const SwitchedJson = z
  .object({ organization: AccountOrganizationJson, ...tokenFields })
  .meta({ id: 'SwitchedOrganization' });
