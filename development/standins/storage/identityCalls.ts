/** The identity service of the storage: users, policies and keys, by form requests. */
import type { Answer } from '../kit/exchange.js';
import { refusedIdentity, xml } from './answers.js';
import { type Identities, MAX_KEYS, type UserKey } from './identities.js';

/** The account that owns users and new buckets. */
export const ACCOUNT = '100000000001';

const userXml = (name: string) =>
  `<User><Path>/</Path><UserName>${name}</UserName><UserId>AIDA${name.length}</UserId>` +
  `<Arn>arn:aws:iam::${ACCOUNT}:user/${name}</Arn><CreateDate>2026-01-01T00:00:00Z</CreateDate></User>`;

const keyXml = (user: string, { accessKeyId, active }: UserKey, more = '') =>
  `<UserName>${user}</UserName><AccessKeyId>${accessKeyId}</AccessKeyId>` +
  `<Status>${active ? 'Active' : 'Inactive'}</Status>${more}<CreateDate>2026-01-01T00:00:00Z</CreateDate>`;

function result(action: string, body = ''): Answer {
  return xml(
    200,
    `<${action}Response xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><${action}Result>${body}</${action}Result>` +
      `<ResponseMetadata><RequestId>standin</RequestId></ResponseMetadata></${action}Response>`,
  );
}

/**
 * Serves one request to the identity service.
 * @param form the request's parameters
 * @param caller the user whose key signed the request
 */
export function identityAnswer(identities: Identities, form: URLSearchParams, caller: string): Answer {
  const [action, name] = [form.get('Action') ?? '', form.get('UserName') ?? caller];
  const user = identities.user(name);
  // The provisioner counts as a user, although it is not stored.
  if (action === 'GetUser' && name === caller) return result(action, userXml(name));
  if (action === 'CreateUser') {
    if (user) return refusedIdentity('EntityAlreadyExists');
    identities.add(name);
    return result(action, userXml(name));
  }
  if (!user) return refusedIdentity('NoSuchEntity');
  const policy = form.get('PolicyName') ?? '';
  const document = user.policies[policy];
  switch (action) {
    case 'GetUser':
      return result(action, userXml(name));
    case 'PutUserPolicy':
      if (!isDocument(form.get('PolicyDocument'))) return refusedIdentity('MalformedPolicyDocument');
      identities.setPolicy(user, policy, form.get('PolicyDocument') ?? '');
      return result(action);
    case 'GetUserPolicy':
      if (document === undefined) return refusedIdentity('NoSuchEntity');
      return result(
        action,
        `<UserName>${name}</UserName><PolicyName>${policy}</PolicyName>` +
          `<PolicyDocument>${encodeURIComponent(document)}</PolicyDocument>`,
      );
    case 'CreateAccessKey': {
      if (user.keys.length >= MAX_KEYS) return refusedIdentity('LimitExceeded');
      const key = identities.addKey(user);
      const secret = `<SecretAccessKey>${key.secretAccessKey}</SecretAccessKey>`;
      return result(action, `<AccessKey>${keyXml(name, key, secret)}</AccessKey>`);
    }
    case 'ListAccessKeys': {
      const members = user.keys.map((key) => `<member>${keyXml(name, key)}</member>`).join('');
      return result(action, `<AccessKeyMetadata>${members}</AccessKeyMetadata><IsTruncated>false</IsTruncated>`);
    }
    case 'DeleteAccessKey': {
      const id = form.get('AccessKeyId') ?? '';
      if (!user.keys.some(({ accessKeyId }) => accessKeyId === id)) return refusedIdentity('NoSuchEntity');
      identities.removeKey(user, id);
      return result(action);
    }
    default:
      return refusedIdentity('NotImplemented');
  }
}

function isDocument(text: string | null): boolean {
  try {
    return Array.isArray((JSON.parse(text ?? '') as { Statement?: unknown }).Statement);
  } catch {
    return false;
  }
}
