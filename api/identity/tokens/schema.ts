import { z } from 'zod';
import { AccountOrganizationJson, organizationField, refreshTokenField, tokenFields } from '../schema.js';

export const RefreshBody = z.object(refreshTokenField).meta({ id: 'TokenRefresh' });
export const LogoutBody = z.object(refreshTokenField).meta({ id: 'Logout' });
export const SwitchBody = z.object({ organization: organizationField }).meta({ id: 'OrganizationSwitch' });

export const TokensJson = z
  .object(tokenFields)
  .meta({ id: 'Tokens', description: 'Empty for browsers: theirs are in the cookies.' });

export const SwitchedJson = z
  .object({ organization: AccountOrganizationJson, ...tokenFields })
  .meta({ id: 'SwitchedOrganization' });
