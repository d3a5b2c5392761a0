import { z } from 'zod';
import { rowJson } from '../../models/database/model/schemas.js';
import { SocialAccount } from '../../models/socialnet/SocialAccount.js';
import { isAllowedRedirectUri } from '../../models/socialnet/redirectUris.js';
import { pageQuery } from '../http/pagination.js';

export const InitiateBody = z
  .object({
    platform: z.string().optional().meta({ description: '`native`, or anything else for the web.', example: 'native' }),
    code_challenge: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/, 'Must be the SHA-256 of the verifier in base64url: 43 characters.')
      .optional()
      .meta({
        description: 'PKCE with S256 (RFC 7636). Native apps must send it.',
        example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      }),
  })
  .meta({ id: 'SocialLinkStart' });

export const InitiatedJson = z
  .object({
    authorization_url: z.url().meta({ description: 'The page of the network to which the app sends the person.' }),
    state: z.string().meta({ description: 'The network returns it with the code. Valid for one use.' }),
    redirect_uri: z.url().meta({ description: 'The address to which the network redirects the person.' }),
    expires_in: z.int().meta({ description: 'Seconds until the state expires.', example: 600 }),
  })
  .meta({ id: 'SocialLinkStarted' });

export const CallbackBody = z
  .object({
    code: z.string().min(1).max(4096),
    state: z.string().min(1).max(200),
    redirect_uri: z
      .string()
      .max(2000)
      .refine(isAllowedRedirectUri, 'Must be one of the two allowed redirect addresses.')
      .optional()
      .meta({ description: 'The redirect address with which the link was started. Defaults to it.' }),
    code_verifier: z
      .string()
      .max(128)
      .optional()
      .meta({ description: 'Required if the link was started with a challenge.' }),
  })
  .meta({ id: 'SocialLinkReturn' });

export const SocialAccountQuery = z.object(pageQuery);

export const SocialAccountJson = rowJson(SocialAccount);
