/** Any store that speaks S3, by the AWS SDK. */
import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type Download, type StoragePort, StorageUnavailable } from './port.js';

export interface S3Settings {
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Left out: AWS itself. */
  endpoint?: string | undefined;
  /** Where browsers reach it, if elsewhere: signatures hold for one host. */
  publicEndpoint?: string | undefined;
}

/** The least that S3 takes for a part that is not the last; so much of an upload is in memory. */
const PART_BYTES = 5 * 1024 * 1024;
const TRIES = 3;
const CONNECT_MS = 3_000;
const ANSWER_MS = 20_000;

/** Opens no connection by itself. */
export function s3(settings: S3Settings): StoragePort {
  const { bucket: Bucket, endpoint, publicEndpoint = endpoint } = settings;
  const client = new S3Client(optionsOf(settings, endpoint));
  const signer = new S3Client(optionsOf(settings, publicEndpoint));
  return {
    async put(Key, Body) {
      const upload = new Upload({ client, params: { Bucket, Key, Body }, partSize: PART_BYTES, queueSize: 1 });
      const given = failureOf(Body);
      try {
        await upload.done();
      } catch (error) {
        throw given() ?? unavailable(error);
      }
    },
    async get(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key })).catch((error: unknown) => {
        throw unavailable(error);
      });
      return Body as Readable;
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key })).catch((error: unknown) => {
        throw unavailable(error);
      });
    },
    signedUrl: (Key, { name, mediaType, seconds }: Download) =>
      getSignedUrl(
        signer,
        new GetObjectCommand({
          Bucket,
          Key,
          ResponseContentDisposition: attachment(name),
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

const optionsOf = (settings: S3Settings, endpoint: string | undefined): S3ClientConfig => ({
  region: settings.region,
  credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
  maxAttempts: TRIES,
  requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
  // Not every store knows the newer checksums; ours are beside the row.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  ...(endpoint && { endpoint, forcePathStyle: true }),
});

/** What ended the stream, if it was not the store that failed. */
function failureOf(stream: Readable): () => Error | null {
  let failure: Error | null = null;
  stream.once('error', (error) => (failure = error));
  return () => failure;
}

function unavailable(cause: unknown): StorageUnavailable {
  const { name } = cause as Error;
  return new StorageUnavailable(`The store did not do what it was asked (${name}).`, { cause });
}

/** RFC 6266: a name in plain letters, and the whole one in UTF-8. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
