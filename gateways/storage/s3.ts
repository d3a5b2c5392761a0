/** A store that implements S3, through the AWS SDK. */
import type http from 'node:http';
import type https from 'node:https';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { withMinimumRate, shortWords } from './bounds.js';
import { type Download, ObjectMissing, type StoragePort, StorageUnavailable } from './port.js';

export interface S3Settings {
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Address of a compatible store; absent: AWS itself. */
  endpoint?: string | undefined;
  /**
   * The address that browsers use, if it differs from `endpoint`. URLs for browsers are signed for this address,
   * because a signature is valid for one host only.
   */
  publicEndpoint?: string | undefined;
}

export interface S3Agents {
  httpAgent?: http.Agent;
  httpsAgent?: https.Agent;
}

/** The minimum size of a part in S3, except for the last one. Each upload buffers this much in memory. */
const PART_BYTES = 5 * 1024 * 1024;
const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 20_000;
/** Timeout of the request that asks whether an object exists. It is short, because the caller waits for the result. */
const SHORT_TIMEOUT_MS = 8_000;

/**
 * Creates the port without connecting.
 * @param agents HTTP agents that restrict the addresses; absent: every address is allowed
 */
export function s3(settings: S3Settings, agents: S3Agents = {}): StoragePort {
  const { bucket: Bucket, endpoint, publicEndpoint = endpoint } = settings;
  const client = new S3Client(optionsOf(settings, endpoint, agents));
  const signer = new S3Client(optionsOf(settings, publicEndpoint, agents));
  limitResponses(client);
  return {
    async put(Key, Body) {
      const upload = new Upload({ client, params: { Bucket, Key, Body }, partSize: PART_BYTES, queueSize: 1 });
      const streamFailure = errorOf(Body);
      try {
        await upload.done();
      } catch (error) {
        throw streamFailure() ?? unavailable(error);
      }
    },
    async get(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key })).catch((error: unknown) => {
        throw unavailable(error);
      });
      return withMinimumRate(Body as Readable);
    },
    async has(Key) {
      const abortSignal = AbortSignal.timeout(SHORT_TIMEOUT_MS);
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal });
        return true;
      } catch (error) {
        if (error instanceof NotFound) return false;
        throw unavailable(error);
      }
    },
    async remove(Key) {
      const abortSignal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
      await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal }).catch((error: unknown) => {
        // A deleted bucket has no objects, so the deletion of the object counts as done.
        if ((error as Error).name !== 'NoSuchBucket') throw unavailable(error);
      });
    },
    signedUrl: (Key, { name, mediaType, isInline = false, seconds }: Download) =>
      getSignedUrl(
        signer,
        new GetObjectCommand({
          Bucket,
          Key,
          ResponseContentDisposition: contentDisposition(isInline ? 'inline' : 'attachment', name),
          ResponseContentType: mediaType,
          ResponseCacheControl: 'private, no-store',
        }),
        { expiresIn: seconds },
      ),
    close() {
      client.destroy();
      signer.destroy();
    },
  };
}

const optionsOf = (settings: S3Settings, endpoint: string | undefined, agents: S3Agents): S3ClientConfig => ({
  region: settings.region,
  credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
  maxAttempts: MAX_ATTEMPTS,
  requestHandler: {
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: RESPONSE_TIMEOUT_MS,
    throwOnRequestTimeout: true,
    socketTimeout: RESPONSE_TIMEOUT_MS,
    ...agents,
  },
  // Not every store supports the newer checksums; our own checksum is stored in the database row.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  ...(endpoint && { endpoint, forcePathStyle: true }),
});

/** Limits responses that are not objects, because the SDK buffers them. */
function limitResponses(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as { statusCode: number; body: Readable };
        const isObject = commandName === 'GetObjectCommand' && response.statusCode < 300;
        if (!isObject) response.body = shortWords(response.body, RESPONSE_TIMEOUT_MS);
        return result;
      },
    // Puts this step next to the connection, so that it limits the response before the SDK parses it.
    { step: 'deserialize', priority: 'low', name: 'limitResponses' },
  );
}

/**
 * Returns a function that returns the error of the stream; null if the stream did not fail, so that a failure is the
 * store's.
 */
function errorOf(stream: Readable): () => Error | null {
  let failure: Error | null = null;
  stream.once('error', (error) => (failure = error));
  return () => failure;
}

function unavailable(cause: unknown): StorageUnavailable {
  if (cause instanceof NoSuchKey) return new ObjectMissing('The store has no such object.', { cause });
  const { name } = cause as Error;
  return new StorageUnavailable(`The store did not complete the request (${name}).`, { cause });
}

/** Returns a Content-Disposition (RFC 6266) with an ASCII name and the full name in UTF-8. */
function contentDisposition(disposition: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `${disposition}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
